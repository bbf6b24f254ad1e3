// Market: what there is to buy, and the flat drawings of it on a 100 x 100 grid ("C" is the colour, "D" a darker shade).
"use strict";

const SHAPES = {
  round: '<circle cx="50" cy="56" r="32" fill="C"/><path d="M50 24c0-8 4-12 12-14" fill="none" stroke="D" stroke-width="5"/>',
  long: '<path d="M28 20c20-4 44 20 50 64C50 74 26 50 28 20z" fill="C"/><path d="M28 20L16 8M28 20L14 20" stroke="#4b9a5c" stroke-width="6"/>',
  leaf: '<path d="M50 90C20 80 14 40 30 14c8 6 12 8 20 8s12-2 20-8c16 26 10 66-20 76z" fill="C"/><path d="M50 34v56" stroke="D" stroke-width="5"/>',
  carton: '<path d="M32 30l8-16h20l8 16v60H32z" fill="C"/><path d="M32 30h36v14H32z" fill="D"/><circle cx="50" cy="66" r="11" fill="#fff"/>',
  jar: '<rect x="32" y="10" width="36" height="14" rx="3" fill="D"/><rect x="26" y="24" width="48" height="66" rx="10" fill="C"/><rect x="26" y="46" width="48" height="24" fill="#fff"/>',
  loaf: '<path d="M16 52a34 28 0 0 1 68 0v30H16z" fill="C"/><path d="M34 34l8 18M50 28l8 18M66 34l6 16" stroke="D" stroke-width="5"/>',
  wedge: '<path d="M12 56L72 22l16 34v26H12z" fill="C"/><path d="M12 56h76" stroke="D" stroke-width="5"/><circle cx="34" cy="70" r="6" fill="D"/><circle cx="64" cy="68" r="5" fill="D"/>',
  fish: '<path d="M10 50c18-28 44-28 60-4l20-16v40L70 54c-16 24-42 24-60-4z" fill="C"/><circle cx="28" cy="46" r="4" fill="D"/><path d="M44 38c6 8 6 16 0 24" fill="none" stroke="D" stroke-width="4"/>',
  steak: '<path d="M20 62c-8-30 20-46 44-38 24 8 26 40 6 50-20 8-44 6-50-12z" fill="C"/><circle cx="60" cy="44" r="8" fill="#fff"/><path d="M30 66c10 8 26 8 38 2" fill="none" stroke="D" stroke-width="5"/>',
  sack: '<path d="M28 22h44l-4 10c10 20 12 40 8 58H24c-4-18-2-38 8-58z" fill="C"/><path d="M32 32h36" stroke="D" stroke-width="6"/><rect x="36" y="50" width="28" height="22" fill="#fff"/>',
  tin: '<rect x="24" y="18" width="52" height="66" rx="6" fill="C"/><path d="M24 30h52M24 72h52" stroke="D" stroke-width="5"/><rect x="24" y="40" width="52" height="24" fill="#fff"/>',
  box: '<rect x="18" y="26" width="64" height="56" rx="5" fill="C"/><path d="M18 42h64" stroke="D" stroke-width="5"/><rect x="30" y="52" width="40" height="20" fill="#fff"/>',
  flask: '<rect x="42" y="8" width="16" height="16" fill="D"/><path d="M42 24h16l10 20v40a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6V44z" fill="C"/><path d="M32 54h36v20H32z" fill="#fff"/>',
  cup: '<path d="M24 30h52l-7 56H31z" fill="C"/><path d="M20 22h60v10H20z" fill="D"/>',
};

/** Key, name, hue, shape on the tile. */
const AISLES = [
  ["vegetables", "Vegetables", 96, "long"],
  ["fruit", "Fruit", 8, "round"],
  ["bakery", "Bakery", 32, "loaf"],
  ["cheese", "Cheese", 46, "wedge"],
  ["dairy", "Milk and eggs", 210, "carton"],
  ["fish", "Fish counter", 192, "fish"],
  ["meat", "Butcher", 350, "steak"],
  ["pantry", "Pantry", 24, "sack"],
  ["tins", "Tins and jars", 16, "tin"],
  ["frozen", "Frozen", 222, "box"],
  ["drinks", "Drinks", 172, "flask"],
  ["household", "Household", 264, "cup"],
];

/** Aisle: name, price in cents (of a kilo or of a piece), "kg" or the size of a piece, hue, shape. */
const STOCK = {
  vegetables: [
    ["Carrots", 189, "kg", 26, "long"],
    ["Courgettes", 279, "kg", 110, "long"],
    ["Vine tomatoes", 349, "kg", 6, "round"],
    ["Red onions", 199, "kg", 325, "round"],
    ["Waxy potatoes", 159, "kg", 40, "round"],
    ["Baby spinach", 229, "200 g", 120, "leaf"],
    ["Fennel", 319, "kg", 90, "leaf"],
    ["Beetroot", 249, "kg", 335, "round"],
    ["Romaine lettuce", 139, "head", 100, "leaf"],
    ["Celeriac", 229, "kg", 50, "round"],
  ],
  fruit: [
    ["Conference pears", 299, "kg", 76, "round"],
    ["Braeburn apples", 269, "kg", 4, "round"],
    ["Bananas", 179, "kg", 52, "long"],
    ["Blood oranges", 329, "kg", 18, "round"],
    ["Blueberries", 349, "250 g", 240, "cup"],
    ["Seedless grapes", 449, "kg", 290, "round"],
    ["Limes", 45, "piece", 88, "round"],
    ["Mango", 189, "piece", 36, "round"],
    ["Apricots", 529, "kg", 30, "round"],
  ],
  bakery: [
    ["Rye loaf", 389, "750 g", 24, "loaf"],
    ["Sourdough loaf", 449, "800 g", 32, "loaf"],
    ["Butter croissant", 139, "piece", 38, "loaf"],
    ["Seeded rolls", 249, "4 pieces", 34, "loaf"],
    ["Flatbread", 219, "3 pieces", 42, "loaf"],
    ["Plum cake", 599, "500 g", 320, "loaf"],
  ],
  cheese: [
    ["Mature Gouda", 1690, "kg", 42, "wedge"],
    ["Young goat cheese", 2190, "kg", 54, "wedge"],
    ["Feta in brine", 1290, "kg", 60, "wedge"],
    ["Mozzarella", 149, "125 g", 48, "cup"],
    ["Blue cheese", 1990, "kg", 205, "wedge"],
    ["Cottage cheese", 189, "200 g", 196, "cup"],
    ["Mountain cheese", 2390, "kg", 36, "wedge"],
  ],
  dairy: [
    ["Whole milk", 139, "1 l", 212, "carton"],
    ["Oat drink", 199, "1 l", 40, "carton"],
    ["Free-range eggs", 329, "10 pieces", 28, "box"],
    ["Plain yoghurt", 169, "500 g", 220, "cup"],
    ["Salted butter", 289, "250 g", 50, "box"],
    ["Whipping cream", 119, "200 ml", 330, "carton"],
    ["Kefir", 149, "500 ml", 180, "flask"],
  ],
  fish: [
    ["Salmon fillet", 2890, "kg", 14, "fish"],
    ["Cod loin", 2690, "kg", 200, "fish"],
    ["Smoked trout", 599, "150 g", 22, "fish"],
    ["Mussels", 890, "kg", 250, "fish"],
    ["Peeled prawns", 749, "200 g", 8, "fish"],
  ],
  meat: [
    ["Chicken thighs", 990, "kg", 20, "steak"],
    ["Minced beef", 1190, "kg", 354, "steak"],
    ["Lamb shoulder", 1890, "kg", 344, "steak"],
    ["Turkey breast", 1390, "kg", 12, "steak"],
    ["Air-dried ham", 399, "100 g", 350, "steak"],
  ],
  pantry: [
    ["Basmati rice", 349, "1 kg", 44, "sack"],
    ["Spelt flour", 229, "1 kg", 34, "sack"],
    ["Spaghetti", 149, "500 g", 48, "box"],
    ["Red lentils", 219, "500 g", 12, "sack"],
    ["Rolled oats", 179, "500 g", 30, "box"],
    ["Cane sugar", 249, "1 kg", 28, "sack"],
    ["Olive oil", 899, "750 ml", 72, "flask"],
    ["Ground coffee", 649, "500 g", 20, "sack"],
  ],
  tins: [
    ["Chickpeas", 119, "400 g", 40, "tin"],
    ["Chopped tomatoes", 129, "400 g", 4, "tin"],
    ["Coconut milk", 189, "400 ml", 150, "tin"],
    ["Cherry jam", 279, "340 g", 340, "jar"],
    ["Gherkins", 219, "670 g", 100, "jar"],
    ["Peanut butter", 349, "350 g", 30, "jar"],
  ],
  frozen: [
    ["Garden peas", 249, "750 g", 112, "box"],
    ["Raspberries", 399, "500 g", 345, "box"],
    ["Vanilla ice cream", 479, "900 ml", 50, "cup"],
    ["Puff pastry", 229, "450 g", 38, "box"],
    ["Leaf spinach", 189, "500 g", 124, "box"],
  ],
  drinks: [
    ["Cloudy apple juice", 219, "1 l", 44, "flask"],
    ["Sparkling water", 79, "1 l", 200, "flask"],
    ["Elderflower cordial", 459, "500 ml", 68, "flask"],
    ["Ginger beer", 189, "330 ml", 32, "flask"],
    ["Green tea", 299, "20 bags", 120, "box"],
  ],
  household: [
    ["Kitchen roll", 329, "4 rolls", 210, "cup"],
    ["Washing-up liquid", 249, "500 ml", 140, "flask"],
    ["Dishwasher tablets", 799, "40 pieces", 224, "box"],
    ["Bin bags", 279, "20 pieces", 270, "box"],
    ["Beeswax candles", 549, "2 pieces", 42, "cup"],
  ],
};

function drawing(shape, hue) {
  const paint = SHAPES[shape].replaceAll('"C"', `"hsl(${hue} 58% 54%)"`).replaceAll('"D"', `"hsl(${hue} 50% 36%)"`);
  return `<svg viewBox="0 0 100 100">${paint}</svg>`;
}
