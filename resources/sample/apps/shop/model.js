// Shop: catalogue with search and filters, product pages, favourites, cart and a checkout form.
"use strict";

const rnd = makeRandom(Shell.seed * 307 + 9);
const CATS = [
  ["home", "Home"],
  ["kitchen", "Kitchen"],
  ["audio", "Audio"],
  ["sport", "Sport"],
  ["wear", "Clothing"],
  ["desk", "Desk"],
];
const COLOURS = [
  ["Coral", 12],
  ["Ocean", 208],
  ["Moss", 120],
  ["Plum", 300],
  ["Sand", 40],
  ["Teal", 176],
];
// name, picture, category, price from, price to
const MODELS = [
  ["Stoneware mug", "mug", "kitchen", 8, 19],
  ["Travel mug with lid", "mug", "kitchen", 14, 32],
  ["Gooseneck kettle", "kettle", "kitchen", 35, 89],
  ["Steel water bottle", "bottle", "sport", 12, 34],
  ["Table lamp", "lamp", "home", 24, 79],
  ["Reading lamp", "lamp", "desk", 29, 69],
  ["Day backpack", "backpack", "sport", 39, 110],
  ["School backpack", "backpack", "wear", 25, 60],
  ["Wireless headphones", "headphones", "audio", 49, 220],
  ["Studio headphones", "headphones", "audio", 79, 260],
  ["Running shoes", "shoe", "sport", 55, 140],
  ["Canvas shoes", "shoe", "wear", 29, 70],
  ["Dotted notebook", "book", "desk", 6, 18],
  ["Recipe book", "book", "kitchen", 15, 32],
  ["Potted fern", "plant", "home", 9, 28],
  ["Rubber plant", "plant", "home", 15, 45],
  ["Dining chair", "chair", "home", 45, 130],
  ["Desk chair", "chair", "desk", 89, 240],
  ["Sports watch", "watch", "sport", 59, 230],
  ["Classic watch", "watch", "wear", 49, 190],
  ["Bookshelf speaker", "speaker", "audio", 69, 210],
  ["Party speaker", "speaker", "audio", 89, 280],
  ["Cotton T-shirt", "shirt", "wear", 9, 25],
  ["Linen shirt", "shirt", "wear", 25, 60],
  ["Compact keyboard", "keyboard", "desk", 35, 120],
  ["Quiet keyboard", "keyboard", "desk", 25, 80],
  ["Basketball", "ball", "sport", 12, 39],
  ["Pocket umbrella", "umbrella", "wear", 10, 30],
];
const BRANDS = ["Norrby", "Halden", "Osprio", "Tamsin & Co", "Velm", "Kestle"];
const money = (c) => `€${(c / 100).toFixed(2)}`;

const products = rnd.shuffle(MODELS).map(([name, pic, cat, lo, hi], i) => {
  const price = rnd.int(lo, hi) * 100 + rnd.pick([0, 50, 90, 95, 99]);
  return {
    id: i + 1,
    name,
    pic,
    cat,
    brand: rnd.pick(BRANDS),
    price,
    old: rnd.chance(0.28) ? Math.round((price * (1.15 + rnd.next() * 0.4)) / 100) * 100 : 0,
    rating: rnd.int(31, 50) / 10,
    reviews: rnd.int(4, 960),
    colours: rnd.some(COLOURS, rnd.int(2, 4)),
    stock: rnd.pick(["In stock", "In stock", "In stock", "Only 3 left"]),
    days: rnd.int(1, 5),
  };
});

const state = {
  cart: [],
  favourites: rnd.some(products, 2).map((p) => p.id),
  orders: [],
  query: "",
  cat: null,
  sort: "Popular",
  max: 300,
  sale: false,
  minRating: 0,
  grid: true,
  banner: 0,
  recent: rnd.some(["lamp", "headphones", "mug", "backpack", "kettle", "watch"], 3),
  view: {},
  form: { name: "", street: "", zip: "", city: "", email: "", delivery: "Standard", pay: "Card", news: rnd.chance(0.5) },
  errors: {},
};
const find = (id) => products.find((p) => p.id === id);
const count = () => state.cart.reduce((n, l) => n + l.qty, 0);
const subtotal = () => state.cart.reduce((n, l) => n + l.qty * find(l.id).price, 0);
const shipping = () =>
  state.form.delivery === "Express" ? 990 : state.form.delivery === "Pick up in store" || subtotal() >= 5000 ? 0 : 490;

const go = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};
const NAV = [
  ["home", "Home", "home", "HomePage"],
  ["catalogue", "Browse", "grid", "CataloguePage"],
  ["favourites", "Saved", "heart", "FavouritesPage"],
  ["cart", "Cart", "cart", "CartPage"],
  ["account", "Account", "user", "AccountPage"],
];
const nav = (key) =>
  ui.bottomNav(
    NAV.map(([k, t, i]) => [k, t, i, k === "cart" ? count() : 0]),
    key,
    (k) => go(NAV.find((n) => n[0] === k)[3]),
  );

function addToCart(p, colour, qty = 1) {
  const line = state.cart.find((l) => l.id === p.id && l.colour === colour);
  if (line) line.qty += qty;
  else state.cart.push({ id: p.id, colour, qty });
  Shell.snack(`${p.name} added to cart`, "View cart", () => go("CartPage"));
}

function heart(p, cls) {
  const on = state.favourites.includes(p.id);
  return ui.iconButton({
    id: "favourite_" + p.id,
    icon: on ? "heartfill" : "heart",
    size: 22,
    cls: `${on ? "on" : ""} ${cls || ""}`,
    label: on ? "Remove from saved" : "Save",
    tap: () => {
      state.favourites = on ? state.favourites.filter((x) => x !== p.id) : state.favourites.concat(p.id);
      Shell.snack(on ? "Removed from saved" : "Saved for later");
    },
  });
}

const pic = (p, cls, hue) =>
  h("span.pic", {
    cls,
    style: `--ph:${hue ?? p.colours[0][1]}`,
    html: art(p.pic, hue ?? p.colours[0][1]),
    label: p.name + " picture",
    as: "android.widget.ImageView",
  });
const stars = (p) =>
  h(
    "span.stars",
    { id: "rating", label: `${p.rating} stars, ${p.reviews} reviews`, "data-leaf": "1" },
    ui.icon("star", 15),
    h("span", { text: `${p.rating.toFixed(1)} (${p.reviews})` }),
  );
const price = (p) =>
  h(
    "div.price",
    { id: "price", "data-leaf": "1" },
    h("span", { text: money(p.price) }),
    p.old ? h("span.old", { text: money(p.old) }) : null,
  );
const off = (p) => (p.old ? h("span.sale", { id: "discount", text: `−${Math.round((1 - p.price / p.old) * 100)}%` }) : null);
const cardMenu = (p) => (el) =>
  ui.menu(el, [
    { id: "menu_add", icon: "cart", text: "Add to cart", tap: () => addToCart(p, p.colours[0][0]) },
    {
      id: "menu_similar",
      icon: "search",
      text: "Show similar",
      tap: () => {
        state.query = "";
        state.cat = p.cat;
        Shell.stack = [{ name: "CataloguePage" }];
      },
    },
  ]);

const tile = (p) =>
  h(
    "div.product",
    { id: "product_" + p.id, label: p.name, tap: () => Shell.push("ProductPage", p.id), hold: cardMenu(p) },
    off(p),
    pic(p),
    heart(p),
    h("div.info", null, h("div.nm", { id: "product_name", text: p.name }), stars(p), price(p)),
  );
const wide = (p) =>
  h(
    "div.row",
    { id: "product_" + p.id, label: p.name, tap: () => Shell.push("ProductPage", p.id), hold: cardMenu(p) },
    pic(p, "thumb"),
    h("div.mid", null, h("div.t", { id: "product_name", text: p.name }), h("div.dim", { id: "brand", text: p.brand }), stars(p), price(p)),
    heart(p),
  );

function results() {
  const q = state.query.trim().toLowerCase();
  const list = products.filter(
    (p) =>
      (!state.cat || p.cat === state.cat) &&
      (!q || `${p.name} ${p.brand}`.toLowerCase().includes(q)) &&
      p.price <= state.max * 100 &&
      (!state.sale || p.old) &&
      p.rating >= state.minRating,
  );
  const by = {
    "Price: low to high": (a, b) => a.price - b.price,
    "Price: high to low": (a, b) => b.price - a.price,
    "Best rated": (a, b) => b.rating - a.rating,
    Popular: (a, b) => b.reviews - a.reviews,
  }[state.sort];
  return list.sort((a, b) => by(a, b) || a.id - b.id);
}

function openFilters() {
  ui.sheet({
    name: "FilterSheet",
    title: "Filters",
    body: () => [
      h(
        "div.pad",
        { style: "padding:4px 24px 0" },
        h("div", { id: "max_price_label", text: `Price up to €${state.max}`, style: "font-size:16px" }),
        h(
          "div.flex",
          null,
          ui.slider({
            id: "max_price",
            label: "Highest price",
            value: state.max,
            min: 10,
            max: 300,
            change: (x) => {
              state.max = x;
            },
          }),
        ),
        h("div", { text: "Rating", style: "font-size:16px;padding:12px 0 8px" }),
      ),
      h(
        "div.hscroll",
        { id: "rating_chips", style: "padding:0 24px 10px" },
        [
          [0, "Any"],
          [3.5, "3.5 +"],
          [4, "4.0 +"],
          [4.5, "4.5 +"],
        ].map(([r, t]) =>
          ui.chip({
            id: "rating_" + String(r).replace(".", "_"),
            text: t,
            on: state.minRating === r,
            tap: () => {
              state.minRating = r;
              Shell.refresh();
            },
          }),
        ),
      ),
      ui.switchRow({
        id: "only_sale",
        icon: "tag",
        title: "Reduced articles only",
        on: state.sale,
        change: (x) => {
          state.sale = x;
        },
      }),
    ],
    fixed: () =>
      h(
        "div.flex",
        { style: "padding:12px 24px 6px" },
        ui.button({
          id: "reset_filters",
          text: "Reset",
          kind: "outlined",
          tap: () => {
            Object.assign(state, { max: 300, minRating: 0, sale: false });
            Shell.refresh();
          },
        }),
        h(
          "div.grow",
          null,
          ui.button({
            id: "apply_filters",
            text: `Show ${results().length} results`,
            kind: "filled",
            cls: "wide",
            tap: () => Shell.close(),
          }),
        ),
      ),
  });
}

const BANNERS = [
  [
    "Reduced this week",
    "Up to 30% off",
    "lamp",
    16,
    () => {
      state.sale = true;
      state.cat = null;
    },
  ],
  [
    "Music for every room",
    "Audio from €49",
    "headphones",
    262,
    () => {
      state.cat = "audio";
    },
  ],
  [
    "Out and about",
    "Bottles, bags, shoes",
    "backpack",
    150,
    () => {
      state.cat = "sport";
    },
  ],
];
