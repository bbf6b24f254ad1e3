// Shop: the pages. State, actions and repeated parts are in model.js.
"use strict";

const pages = {
  HomePage: () => {
    const [title, sub, kind, hue, act] = BANNERS[state.banner];
    const turn = (d) => {
      state.banner = (state.banner + d + 3) % 3;
      Shell.refresh();
    };
    const top = products.slice().sort((a, b) => b.reviews - a.reviews);
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_bar",
        placeholder: "Search the shop",
        tap: () => {
          state.query = "";
          Shell.push("SearchPage");
        },
      }),
      h(
        "div.scroll",
        { id: "home_list" },
        h(
          "div.banner",
          {
            id: "banner",
            label: title,
            style: `--bh:${hue}`,
            tap: () => {
              act();
              go("CataloguePage");
            },
            swipe: { left: () => turn(1), right: () => turn(-1) },
          },
          h("b", { id: "banner_title", text: title }),
          h("span", { id: "banner_text", text: sub }),
          h("span.art", { html: art(kind, (hue + 180) % 360) }),
          h(
            "div.dots",
            null,
            BANNERS.map((b, i) => h("i", { cls: i === state.banner ? "on" : "" })),
          ),
        ),
        h(
          "div.hscroll",
          { id: "categories", style: "padding-bottom:14px" },
          CATS.map(([k, t]) =>
            ui.chip({
              id: "category_" + k,
              text: t,
              tap: () => {
                state.cat = k;
                state.query = "";
                go("CataloguePage");
              },
            }),
          ),
        ),
        ui.head("Popular now"),
        h("div.grid2", null, top.slice(0, 6).map(tile)),
        ui.head("Reduced"),
        products
          .filter((p) => p.old)
          .slice(0, 6)
          .map(wide),
      ),
      nav("home"),
    );
  },

  SearchPage: () => {
    const q = state.query.trim().toLowerCase();
    const hits = q ? products.filter((p) => `${p.name} ${p.brand}`.toLowerCase().includes(q)) : [];
    const run = (text) => {
      state.query = text;
      state.cat = null;
      if (text && !state.recent.includes(text)) state.recent.unshift(text);
      go("CataloguePage");
    };
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_input",
        placeholder: "Search the shop",
        back: true,
        focus: true,
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
        enter: run,
      }),
      h(
        "div.scroll",
        { id: "search_suggestions" },
        !q &&
          state.recent.map((r, i) =>
            ui.row({
              id: "recent_" + i,
              icon: "clock",
              title: r,
              tap: () => run(r),
              end: ui.iconButton({
                id: "recent_remove_" + i,
                icon: "close",
                label: `Remove ${r}`,
                tap: () => {
                  state.recent.splice(i, 1);
                  Shell.refresh();
                },
              }),
            }),
          ),
        hits.map(wide),
        q && !hits.length && ui.empty("search", `Nothing found for “${state.query}”`),
      ),
    );
  },

  CataloguePage: () => {
    const list = results();
    const filtered = state.max < 300 || state.sale || state.minRating > 0;
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_bar",
        placeholder: state.query || "Search the shop",
        tap: () => Shell.push("SearchPage"),
        end:
          state.query &&
          ui.iconButton({
            id: "clear_query",
            icon: "close",
            label: "Clear search",
            tap: () => {
              state.query = "";
              Shell.refresh();
            },
          }),
      }),
      h(
        "div.hscroll",
        { id: "category_chips" },
        [[null, "All"], ...CATS].map(([k, t]) =>
          ui.chip({
            id: "category_" + (k || "all"),
            text: t,
            on: state.cat === k,
            tap: () => {
              state.cat = k;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.flex",
        { style: "padding:2px 8px 2px 16px;gap:2px" },
        h("span.grow.dim", { id: "result_count", text: `${list.length} articles` }),
        ui.button({
          id: "sort_button",
          text: state.sort,
          icon: "sort",
          tap: () =>
            ui.choose("SortDialog", "Sort by", ["Popular", "Best rated", "Price: low to high", "Price: high to low"], state.sort, (x) => {
              state.sort = x;
            }),
        }),
        ui.iconButton({ id: "filter_button", icon: "sliders", label: "Filters", cls: filtered ? "on" : "", tap: openFilters }),
        ui.iconButton({
          id: "layout_button",
          icon: state.grid ? "list" : "grid",
          label: state.grid ? "Show as list" : "Show as grid",
          tap: () => {
            state.grid = !state.grid;
            Shell.refresh();
          },
        }),
      ),
      h(
        "div.scroll",
        { id: "product_list" },
        list.length
          ? state.grid
            ? h("div.grid2", null, list.map(tile))
            : list.map(wide)
          : ui.empty(
              "search",
              "No articles match",
              ui.button({
                id: "reset_all",
                text: "Clear filters",
                kind: "tonal",
                tap: () => {
                  Object.assign(state, { max: 300, minRating: 0, sale: false, query: "", cat: null });
                  Shell.refresh();
                },
              }),
            ),
      ),
      nav("catalogue"),
    );
  },

  ProductPage: (id) => {
    const p = find(id);
    const view = (state.view[id] = state.view[id] || { colour: 0, qty: 1, size: "M", open: false });
    const turn = (d) => {
      view.colour = (view.colour + d + p.colours.length) % p.colours.length;
      Shell.refresh();
    };
    return h(
      "div",
      null,
      ui.appBar({
        title: "",
        back: true,
        actions: [
          {
            id: "share",
            icon: "send",
            label: "Share",
            tap: () =>
              ui.sheet({
                name: "ShareSheet",
                title: `Share ${p.name}`,
                body: () =>
                  [
                    ["Copy link", "copy"],
                    ["Messages", "mail"],
                  ].map(([t, i]) =>
                    ui.row({
                      id: "share_" + i,
                      icon: i,
                      title: t,
                      tap: () => {
                        Shell.layers.pop();
                        Shell.snack(t === "Copy link" ? "Link copied" : "Sent to Messages");
                      },
                    }),
                  ),
              }),
          },
          { id: "cart_button", icon: "cart", label: "Cart", badge: count(), tap: () => go("CartPage") },
        ],
      }),
      h(
        "div.scroll",
        { id: "product_details" },
        h(
          "div",
          { style: "position:relative", swipe: { left: () => turn(1), right: () => turn(-1) } },
          off(p),
          pic(p, "gallery", p.colours[view.colour][1]),
          h(
            "div.dots",
            { style: "left:50%;margin-left:-26px" },
            p.colours.map((c, i) => h("i", { style: "background:var(--text)", cls: i === view.colour ? "on" : "" })),
          ),
        ),
        h(
          "div.flex",
          { style: "padding:16px 8px 0 16px" },
          h(
            "div.grow",
            null,
            h("div.dim", { id: "brand", text: p.brand }),
            h("div", { id: "product_title", text: p.name, style: "font-size:23px;line-height:30px" }),
          ),
          heart(p),
        ),
        h("div.flex.pad", { style: "padding:8px 16px" }, price(p), h("span.grow"), stars(p)),
        h("div.pad.dim", { id: "colour_label", text: `Colour: ${p.colours[view.colour][0]}`, style: "padding-bottom:8px" }),
        h(
          "div.flex.pad",
          { style: "padding-bottom:14px" },
          p.colours.map(([n, hue], i) =>
            h("button.swatch", {
              id: "colour_" + n.toLowerCase(),
              label: n,
              "aria-checked": String(i === view.colour),
              cls: i === view.colour ? "on" : "",
              style: `background:hsl(${hue} 52% 52%)`,
              tap: () => {
                view.colour = i;
                Shell.refresh();
              },
            }),
          ),
        ),
        p.pic === "shirt" || p.pic === "shoe"
          ? h(
              "div.hscroll",
              { id: "sizes" },
              (p.pic === "shoe" ? ["38", "40", "42", "44"] : ["S", "M", "L", "XL"]).map((s) =>
                ui.chip({
                  id: "size_" + s.toLowerCase(),
                  text: s,
                  on: view.size === s,
                  tap: () => {
                    view.size = s;
                    Shell.refresh();
                  },
                }),
              ),
            )
          : null,
        ui.card(
          ui.row({ id: "delivery_info", icon: "truck", title: `Arrives in ${p.days} to ${p.days + 2} days`, sub: "Free from €50" }),
          ui.row({ id: "stock", icon: "check", title: p.stock, sub: `Sold by ${p.brand}` }),
        ),
        ui.row({
          id: "description_toggle",
          title: "Description",
          titleId: "description_title",
          end: ui.icon(view.open ? "up" : "down"),
          tap: () => {
            view.open = !view.open;
            Shell.refresh();
          },
        }),
        view.open &&
          h("div.pad.dim", {
            id: "description",
            text: `The ${p.name.toLowerCase()} by ${p.brand} is made to be used every day. It comes in ${p.colours.length} colours and can be returned within 30 days.`,
            style: "padding-bottom:12px",
          }),
        ui.row({
          id: "reviews",
          title: `${p.reviews} reviews`,
          titleId: "reviews_title",
          end: ui.icon("right"),
          tap: () => Shell.push("ReviewsPage", id),
        }),
        ui.head("You may also like"),
        h(
          "div.grid2",
          null,
          products
            .filter((x) => x.cat === p.cat && x.id !== id)
            .slice(0, 4)
            .map(tile),
        ),
      ),
      h(
        "div.buybar",
        null,
        stepper("qty", view.qty, (q) => {
          view.qty = Math.min(9, Math.max(1, q));
          Shell.refresh();
        }),
        h(
          "div.grow",
          null,
          ui.button({
            id: "add_to_cart",
            text: "Add to cart",
            icon: "cart",
            kind: "filled",
            cls: "wide",
            tap: () => addToCart(p, p.colours[view.colour][0], view.qty),
          }),
        ),
      ),
    );
  },

  ReviewsPage: (id) => {
    const p = find(id),
      r = makeRandom(id * 77 + Shell.seed);
    const said = [
      "Just what I was looking for.",
      "Good value, arrived two days early.",
      "The colour is a little darker than in the picture.",
      "Bought a second one for my sister.",
      "Sturdy and easy to clean.",
      "Smaller than I thought, but fine.",
      "Would buy again.",
      "The box was damaged, the article was not.",
    ];
    return h(
      "div",
      null,
      ui.appBar({ title: "Reviews", back: true }),
      h(
        "div.scroll",
        { id: "review_list" },
        r
          .shuffle(said)
          .map((t, i) =>
            ui.row({
              id: "review_" + i,
              lead: ui.tile(String.fromCharCode(65 + r.int(0, 25)), r.int(0, 359)),
              title: "★".repeat(Math.max(2, Math.round(p.rating) - (i % 3 ? 0 : 1))),
              sub: t,
            }),
          ),
      ),
    );
  },

  FavouritesPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Saved" }),
      h(
        "div.scroll",
        { id: "favourite_list" },
        state.favourites.length ? state.favourites.map((id) => wide(find(id))) : ui.empty("heart", "Tap a heart to save an article"),
      ),
      nav("favourites"),
    ),

  CartPage: () => {
    const drop = (l) => {
      const at = state.cart.indexOf(l);
      state.cart.splice(at, 1);
      Shell.snack("Article removed", "Undo", () => state.cart.splice(at, 0, l));
    };
    return h(
      "div",
      null,
      ui.appBar({
        title: "Cart",
        actions: state.cart.length
          ? [
              {
                id: "empty_cart",
                icon: "trash",
                label: "Empty cart",
                tap: () =>
                  ui.confirm("EmptyCart", "Empty the cart?", "All articles will be removed.", "Empty", () => {
                    state.cart = [];
                  }),
              },
            ]
          : [],
      }),
      h(
        "div.scroll",
        { id: "cart_list" },
        state.cart.length
          ? [
              state.cart.map((l) => {
                const p = find(l.id);
                return h(
                  "div.card.item",
                  { id: `cart_item_${l.id}`, swipe: { left: () => drop(l) }, tap: () => Shell.push("ProductPage", l.id) },
                  pic(p, "thumb", COLOURS.find((c) => c[0] === l.colour)[1]),
                  h(
                    "div.grow",
                    null,
                    h("div", { id: "product_name", text: p.name, style: "font-size:16px" }),
                    h("div.dim", { id: "variant", text: l.colour }),
                    h("div.price", { id: "line_price", text: money(p.price * l.qty) }),
                  ),
                  stepper(`qty_${l.id}`, l.qty, (q) => {
                    if (q < 1) drop(l);
                    else {
                      l.qty = Math.min(9, q);
                      Shell.refresh();
                    }
                  }),
                );
              }),
              totals(),
            ]
          : ui.empty(
              "cart",
              "Your cart is empty",
              ui.button({ id: "start_shopping", text: "Start shopping", kind: "tonal", tap: () => go("CataloguePage") }),
            ),
      ),
      state.cart.length
        ? h(
            "div.buybar",
            null,
            ui.button({
              id: "checkout",
              text: `Check out, ${money(subtotal() + shipping())}`,
              kind: "filled",
              cls: "wide",
              tap: () => Shell.push("CheckoutPage"),
            }),
          )
        : null,
      nav("cart"),
    );
  },

  CheckoutPage: () => {
    const f = state.form;
    const field = (key, label, extra) =>
      ui.field({
        id: "checkout_" + key,
        label,
        value: f[key],
        error: state.errors[key],
        change: (x) => {
          f[key] = x;
        },
        ...extra,
      });
    const order = () => {
      state.errors = {};
      Shell.blur();
      for (const k of ["name", "street", "city"]) if (!f[k].trim()) state.errors[k] = "Please fill in this field";
      if (!/^\d{4,6}$/.test(f.zip)) state.errors.zip = "4 to 6 digits";
      if (!/^\S+@\S+\.\S+$/.test(f.email)) state.errors.email = "This is not an e-mail address";
      if (Object.keys(state.errors).length) {
        Shell.snack("Please check the marked fields");
        return;
      }
      state.orders.unshift({
        number: `S${Shell.seed}${1000 + state.orders.length * 7}`,
        total: subtotal() + shipping(),
        items: count(),
        delivery: f.delivery,
        pay: f.pay,
      });
      state.cart = [];
      Shell.stack = [{ name: "CartPage" }];
      Shell.push("OrderDonePage");
    };
    const radio = (key, value, icon, sub) =>
      h(
        "div.row",
        {
          id: `${key}_${value.toLowerCase().replace(/\W+/g, "_")}`,
          tap: () => {
            f[key] = value;
            Shell.refresh();
          },
        },
        ui.box({ id: key + "_radio", on: f[key] === value, round: true, label: value }),
        h("div.mid", null, h("div.t", { id: "title", text: value }), h("div.s", { id: "summary", text: sub })),
        h("span.dim", { html: svg(icon) }),
      );
    return h(
      "div",
      null,
      ui.appBar({ title: "Checkout", back: true }),
      h(
        "div.scroll",
        { id: "checkout_form" },
        ui.head("Address"),
        h(
          "div.form",
          null,
          field("name", "Full name"),
          field("street", "Street and number"),
          h("div.two", null, field("city", "City"), field("zip", "Postcode", { mode: "numeric" })),
          field("email", "E-mail", { type: "text", mode: "email" }),
        ),
        ui.head("Delivery"),
        ui.card(
          radio("delivery", "Standard", "truck", subtotal() >= 5000 ? "3 to 5 days, free" : "3 to 5 days, €4.90"),
          radio("delivery", "Express", "send", "Tomorrow, €9.90"),
          radio("delivery", "Pick up in store", "place", "From 16:00, free"),
        ),
        ui.head("Payment"),
        ui.card(
          radio("pay", "Card", "card", "Ending in 0000"),
          radio("pay", "Invoice", "mail", "Pay within 14 days"),
          radio("pay", "Voucher", "tag", "Enter the code later"),
        ),
        h(
          "div.row",
          {
            id: "newsletter",
            tap: () => {
              f.news = !f.news;
              Shell.refresh();
            },
          },
          ui.box({ id: "newsletter_box", on: f.news, label: "Newsletter" }),
          h("div.mid", null, h("div.t", { id: "title", text: "Send me the newsletter" })),
        ),
        totals(),
      ),
      h("div.buybar", null, ui.button({ id: "place_order", text: "Place order", kind: "filled", cls: "wide", tap: order })),
    );
  },

  OrderDonePage: () => {
    const o = state.orders[0];
    return h(
      "div",
      null,
      h(
        "div.scroll",
        { id: "order_done" },
        ui.empty("check", `Thank you! Order ${o.number} is on its way.`),
        h(
          "div",
          { style: "padding-top:10px" },
          ui.card(
            ui.row({ id: "order_total", icon: "card", title: "Total", end: money(o.total) }),
            ui.row({ id: "order_delivery", icon: "truck", title: "Delivery", end: o.delivery }),
          ),
        ),
      ),
      h(
        "div.buybar",
        null,
        ui.button({ id: "continue_shopping", text: "Continue shopping", kind: "filled", cls: "wide", tap: () => go("HomePage") }),
      ),
    );
  },

  AccountPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Account" }),
      h(
        "div.scroll",
        { id: "account_list" },
        h(
          "div.empty",
          { style: "padding:20px" },
          ui.tile("G", 16, 84, "Profile picture"),
          h("div", { id: "account_name", text: "Guest", style: "font-size:20px;color:var(--text)" }),
        ),
        ui.head("Orders"),
        state.orders.length
          ? ui.card(
              state.orders.map((o) =>
                ui.row({
                  id: "order_" + o.number,
                  icon: "bag",
                  title: `Order ${o.number}`,
                  sub: `${o.items} articles, ${o.delivery}`,
                  end: money(o.total),
                }),
              ),
            )
          : h("div.pad.dim", { id: "no_orders", text: "No orders yet", style: "padding-bottom:12px" }),
        ui.card(
          ui.switchRow({
            id: "newsletter_setting",
            icon: "mail",
            title: "Newsletter",
            sub: "Offers once a month",
            on: state.form.news,
            change: (x) => {
              state.form.news = x;
            },
          }),
          ui.row({
            id: "help",
            icon: "help",
            title: "Help",
            tap: () =>
              ui.dialog({
                name: "HelpDialog",
                title: "Help",
                body: "Articles can be returned within 30 days. Delivery is free from €50.",
                actions: [{ id: "button_ok", text: "OK" }],
              }),
          }),
        ),
      ),
      nav("account"),
    ),
};

function stepper(id, value, change) {
  return h(
    "span.step",
    null,
    ui.iconButton({ id: id + "_minus", icon: "minus", label: "Less", size: 18, tap: () => change(value - 1) }),
    h("span", { id: id + "_value", text: String(value) }),
    ui.iconButton({ id: id + "_plus", icon: "add", label: "More", size: 18, tap: () => change(value + 1) }),
  );
}

function totals() {
  const line = (id, name, value, cls) =>
    h("div.sum", { cls }, h("span", { id: id + "_label", text: name }), h("b", { id, text: value, style: "font-weight:inherit" }));
  return h(
    "div",
    { style: "padding:8px 0 20px" },
    line("subtotal", "Articles", money(subtotal())),
    line("shipping", "Delivery", shipping() ? money(shipping()) : "Free"),
    line("total", "Total", money(subtotal() + shipping()), "total"),
  );
}

Shell.start({
  pages,
  home: "HomePage",
  state,
  report: () => {
    const { view, ...rest } = state;
    return { ...rest, total: subtotal() + shipping(), results: results().map((p) => p.id) };
  },
});
