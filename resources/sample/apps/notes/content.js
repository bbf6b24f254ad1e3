// What the notes are about: titles, words and lists to draw from. All of it is made up.
"use strict";

const NOTEBOOKS = [
  ["Home", 28],
  ["Work", 212],
  ["Travel", 190],
  ["Recipes", 12],
  ["Ideas", 280],
  ["Garden", 120],
  ["Study", 244],
  ["Health", 340],
  ["Music", 310],
];

const COLOURS = [
  ["Red", 2],
  ["Orange", 26],
  ["Yellow", 50],
  ["Green", 130],
  ["Teal", 176],
  ["Blue", 212],
  ["Purple", 270],
  ["Pink", 330],
];

/** Title, words, and the notebook that fits. */
const TEXTS = [
  ["Boiler code", "Press menu twice, then 4471. The red light goes out after a minute.", "Home"],
  ["Window measurements", "Kitchen 84 by 120, hall 60 by 90. Take off two for the blinds.", "Home"],
  ["Paint colours", "Hall: warm chalk. Bedroom: river stone, two coats. Left over tin is under the stairs.", "Home"],
  ["Neighbour's cat", "One scoop in the morning, half in the evening. The key hangs behind the door.", "Home"],
  ["Meter readings", "March 20418, April 20577, May 20691.", "Home"],
  ["Standup points", "Finish the import page, ask Dario about the test phone, free Thursday afternoon.", "Work"],
  ["Interview questions", "What did you build that nobody asked for? Which part would you build again?", "Work"],
  ["Printer on floor two", "Hold the green button until it hums, then feed the paper by hand.", "Work"],
  ["Quarter review", "Fewer returns than last spring. Delivery takes too long in the north.", "Work"],
  ["Talk outline", "Begin with the broken bridge. Three pictures, one number, no list.", "Work"],
  ["Train times to Morne", "8:12 from platform four, then every forty minutes. Last one back at 22:50.", "Travel"],
  ["Lake house", "Turn left after the sawmill. Gate code is on the fridge list.", "Travel"],
  ["Things seen in Tarva", "Blue tram, the stairs with cats, a bakery that sells only one cake.", "Travel"],
  ["Camping sites", "Birch Bay is quiet but has no showers. Stone Meadow takes dogs.", "Travel"],
  ["Hotel breakfast", "Served until ten on the roof. Ask for the table at the corner.", "Travel"],
  ["Plum cake", "Butter 150, sugar 120, three eggs, flour 200. Forty minutes in the middle of the oven.", "Recipes"],
  ["Lentil soup", "Fry onions slowly, add cumin, lentils and a litre of water. Lemon at the end.", "Recipes"],
  ["Pizza dough", "Flour 500, water 325, a pinch of yeast. Let it rest overnight.", "Recipes"],
  ["Pickled radish", "Equal parts vinegar and water, two spoons of sugar. Ready on the third day.", "Recipes"],
  ["Story about a lighthouse", "The keeper writes letters to ships that never stop. One of them answers.", "Ideas"],
  ["Names for the boat", "Second Wind, Little Heron, Tuesday, Marzipan.", "Ideas"],
  ["Board game rules", "Everybody hides one stone. Whoever is silent longest may look.", "Ideas"],
  ["Birthday surprise", "A map of all places where we had pancakes, folded very small.", "Ideas"],
  ["Tomato varieties", "Early Ruby on the balcony, Sun Drop along the wall, Black Prince in pots.", "Garden"],
  ["Pruning dates", "Apple in February, roses when the forsythia blooms, lavender in August.", "Garden"],
  ["Compost notes", "Too wet since Easter. Mix in cardboard and turn it on Sundays.", "Garden"],
  ["Statistics exam", "Chapters three to seven. Bring the small calculator and two pencils.", "Study"],
  ["Greek verbs", "To carry, to leave, to learn: write each in three tenses.", "Study"],
  ["Library opening hours", "Monday to Friday until nine, Saturday until four. Closed in the first week of August.", "Study"],
  ["Running plan", "Tuesday slow, Thursday hills, Sunday long. Rest when the knee complains.", "Health"],
  ["Dentist questions", "Is the upper left one really cracked? What does the night guard cost?", "Health"],
  ["Sleep log", "Monday seven hours, Tuesday six, Wednesday nearly eight after the walk.", "Health"],
  ["Chords for Saturday", "Verse G, D, E minor, C. The bridge goes up one tone.", "Music"],
  ["Choir warm-up", "Hum downwards, then the siren, then numbers in canon.", "Music"],
  ["Old records to find", "The green one with the heron, and anything recorded in the mill.", "Music"],
];

/** Title, items, and the notebook that fits. */
const LISTS = [
  ["Weekly groceries", ["Oats", "Red onions", "Yoghurt", "Coffee beans", "Rice", "Lemons"], "Home"],
  ["Spring cleaning", ["Wash the curtains", "Empty the attic", "Descale the kettle", "Oil the hinges"], "Home"],
  ["Packing for the coast", ["Rain jacket", "Swimsuit", "Sandals", "Sun cream", "Binoculars"], "Travel"],
  ["Office move", ["Label the boxes", "Return the key cards", "Cancel the water cooler"], "Work"],
  ["Books to borrow", ["The Salt Road", "Letters from Tarn", "A Field of Clocks", "The Paper Orchard"], "Study"],
  ["Party supplies", ["Paper lanterns", "Ice", "Lemonade", "Folding chairs", "Candles"], "Home"],
  ["First aid kit", ["Plasters", "Tweezers", "Gauze", "Cold pack"], "Health"],
  ["Seeds to order", ["Basil", "Nasturtium", "Sugar peas", "Chard"], "Garden"],
  ["Songs to practise", ["Harbour Lights", "Slow Morning", "The Tin Soldier"], "Music"],
];
