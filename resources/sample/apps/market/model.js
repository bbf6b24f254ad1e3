// Market: groceries by weight and piece. The state, and what can be done to it.
"use strict";

const rnd = makeRandom(Shell.seed * 137 + 1);
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const SLOT_HOURS = [8, 10, 12, 14, 16, 18, 20];
const WEIGHTS = [250, 500, 750, 1000, 1500];
const SIMILAR = "Something similar";
const NO_OTHER = "Leave it out";

/** Whether something exists at the start is spread evenly over the seeds, each thing in another rhythm. */
const odd = (shift, length) => Math.floor((Shell.seed + shift) / length) % 2 === 1;
const startsFull = odd(1, 3);
const delivers = odd(2, 4);
const isNew = odd(0, 4);

let nextId = 1;
const wares = Object.entries(STOCK).flatMap(([aisle, list]) =>
  rnd.shuffle(list).map(([name, cents, unit, hue, shape]) => {
    const price = Math.round((cents * rnd.int(88, 114)) / 500) * 5;
    const cut = rnd.chance(0.24);
    return {
      id: nextId++,
      name,
      aisle,
      unit,
      kilo: unit === "kg",
      hue,
      shape,
      price: cut ? Math.round((price * 0.8) / 5) * 5 : price,
      was: cut ? price : null,
      organic: rnd.chance(0.38),
      origin: rnd.pick(["Spain", "Italy", "Portugal", "the Netherlands", "France", "Denmark", "nearby farms"]),
      sold: rnd.int(20, 900),
    };
  }),
);
const ware = (id) => wares.find((w) => w.id === id);
const money = (cents) => `€${(cents / 100).toFixed(2)}`;
const weight = (g) => (g >= 1000 ? `${g / 1000} kg` : `${g} g`);
const amountText = (w, n) => (w.kilo ? weight(n) : String(n));
const unitText = (w) => (w.kilo ? `${money(w.price)} a kilo` : `${money(w.price)} · ${w.unit}`);
const cost = (line) => Math.round((ware(line.id).price * line.amount) / (ware(line.id).kilo ? 1000 : 1));
const dayName = (ahead) => WEEKDAYS[(phone.weekday + ahead) % 7];
const hourText = (from) => `${from}:00–${from + 2}:00`;

/** Slots of the next five days; a few are taken. */
const slots = [1, 2, 3, 4, 5].map((ahead) => ({
  day: dayName(ahead),
  times: SLOT_HOURS.map((from) => ({ from, free: rnd.chance(0.72), fee: rnd.pick([0, 190, 290, 390]) })),
}));
for (const s of slots) if (!s.times.some((t) => t.free)) s.times[3].free = true;

const LIST_IDEAS = ["Weekend breakfast", "Soup night", "Packed lunches", "Birthday picnic", "Flat share basics", "Camping", "Sunday roast"];
const PLACES = [
  ["Home", "Birch Lane", 4],
  ["Studio", "Tannery Yard", 17],
  ["Grandparents", "Mill Road", 92],
  ["Office", "Quay Street", 31],
  ["Allotment", "Heron Path", 6],
  ["Holiday flat", "Dune Walk", 12],
];
const makeLine = (w) => ({ id: w.id, amount: w.kilo ? rnd.pick([300, 500, 800]) : rnd.int(1, 3) });
const makeList = (name, n) => ({ id: nextId++, name, items: rnd.some(wares, n).map((w) => w.id) });
const makeOrder = (when, coming) => ({
  id: nextId++,
  when,
  coming,
  lines: rnd.some(wares, rnd.int(3, 6)).map(makeLine),
  stars: 0,
});

const names = rnd.some(LIST_IDEAS, 4);
const state = {
  basket: startsFull ? rnd.some(wares, rnd.int(4, 7)).map(makeLine) : [],
  replace: {},
  notes: {},
  drafts: {},
  looks: {},
  slot: null,
  day: 0,
  places: rnd.some(PLACES, 3).map(([label, street, n]) => ({ id: nextId++, label, street, house: String(n), hint: "" })),
  place: 0,
  form: { label: "", street: "", house: "", hint: "" },
  lists: [...names.slice(0, 3).map((n) => makeList(n, rnd.int(3, 7))), makeList(names[3], 0)],
  vouchers: rnd
    .some(
      [
        ["FIRSTPEAR", "€3 off the basket", 300],
        ["GREENWEEK", "10% off vegetables", 150],
        ["FREEVAN", "Free delivery", 390],
        ["BREADCLUB", "€1 off bakery", 100],
        ["TWELVE", "€12 off from €80", 1200],
      ],
      3,
    )
    .map(([code, text, off]) => ({ code, text, off, used: false })),
  code: "",
  orders: [
    delivers ? makeOrder(`${dayName(1)} ${hourText(16)}`, true) : null,
    ...(isNew ? [] : [makeOrder("Last week", false), makeOrder("Three weeks ago", false)]),
  ].filter(Boolean),
  query: "",
  sort: "Most bought",
  only: "all",
  prefs: { door: rnd.chance(0.4), bags: rnd.chance(0.5), reminders: rnd.chance(0.5), organic: rnd.chance(0.3), replace: SIMILAR },
};
state.place = state.places[0].id;

const usual = wares
  .slice()
  .sort((a, b) => b.sold - a.sold)
  .slice(0, 7)
  .map((w) => w.id);
const list = (id) => state.lists.find((l) => l.id === id);
const order = (id) => state.orders.find((o) => o.id === id);
const here = () => state.places.find((p) => p.id === state.place);
const slotText = () => (state.slot ? `${state.slot.day} ${hourText(state.slot.from)}` : "Choose a delivery time");
const discount = () => state.vouchers.filter((v) => v.used).reduce((sum, v) => sum + v.off, 0);
const goodsTotal = () => state.basket.reduce((sum, line) => sum + cost(line), 0);
const total = () => Math.max(0, goodsTotal() + (state.slot ? state.slot.fee : 0) - discount());

function inAisle(key) {
  const found = wares.filter((w) => (!key || w.aisle === key) && (state.only !== "organic" || w.organic) && (state.only !== "offers" || w.was));
  const by = {
    "Most bought": (a, b) => b.sold - a.sold,
    "Name A to Z": (a, b) => a.name.localeCompare(b.name),
    "Lowest price": (a, b) => a.price - b.price,
    "Highest price": (a, b) => b.price - a.price,
  };
  return found.sort(by[state.sort]);
}

/** Into the basket on top of what is there; a taste of it stays on the screen. */
function putIn(w, amount) {
  const line = state.basket.find((l) => l.id === w.id);
  if (line) line.amount += amount;
  else state.basket.push({ id: w.id, amount });
  Shell.snack(`${amountText(w, amount)}${w.kilo ? " of " : " × "}${w.name} in your basket`, "Undo", () => {
    const now = state.basket.find((l) => l.id === w.id);
    now.amount -= amount;
    if (now.amount <= 0) state.basket = state.basket.filter((l) => l !== now);
  });
}

function takeOut(id) {
  const before = state.basket.slice();
  state.basket = state.basket.filter((l) => l.id !== id);
  Shell.snack(`${ware(id).name} taken out`, "Undo", () => {
    state.basket = before;
  });
}

/** Everything of a list or an old order goes into the basket. */
function putAll(ids, name) {
  for (const id of ids) {
    const line = state.basket.find((l) => l.id === id);
    const step = ware(id).kilo ? 500 : 1;
    if (line) line.amount += step;
    else state.basket.push({ id, amount: step });
  }
  Shell.snack(`${ids.length} things from ${name} in your basket`);
}

function placeOrder() {
  const made = { id: nextId++, when: slotText(), coming: true, lines: state.basket, stars: 0 };
  state.orders.unshift(made);
  state.basket = [];
  state.slot = null;
  for (const v of state.vouchers) v.used = false;
  Shell.stack = [{ name: "AislesPage" }, { name: "OrderPage", arg: made.id }];
  Shell.snack("Order placed");
}
