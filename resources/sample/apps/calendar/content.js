// Calendar: what can be in it. Title, places, earliest and latest hour, usual length in minutes.
"use strict";

const IDEAS = [
  ["Dentist", ["Mill Lane 4", "Harbour Square 12"], 8, 16, 30],
  ["Haircut", ["Salon Kemper", "The Corner Shears"], 10, 18, 60],
  ["Parents' evening", ["School hall", "Room 14"], 18, 19, 90],
  ["Swimming lesson", ["City baths", "North pool"], 15, 18, 60],
  ["Lunch with Chiara", ["Noodle bar", ""], 12, 13, 60],
  ["Choir practice", ["St Anne's hall", ""], 19, 20, 90],
  ["Car service", ["Garage Odell", "Ring Road 80"], 8, 10, 60],
  ["Team meeting", ["Room Birch", ""], 9, 11, 60],
  ["Book club", ["Greta's place", ""], 19, 20, 120],
  ["Yoga", ["Studio Lotus", ""], 7, 19, 60],
  ["Vet with Momo", ["Animal clinic", ""], 9, 17, 30],
  ["Flat viewing", ["Quay Street 31", "Elm Row 7"], 16, 19, 30],
  ["Board game night", ["", "Hugo's place"], 19, 20, 180],
  ["Piano lesson", ["Music school", ""], 14, 18, 30],
  ["Blood test", ["Health centre", ""], 7, 9, 30],
  ["Project review", ["Room Cedar", ""], 13, 16, 90],
  ["Football training", ["East field", ""], 17, 19, 90],
  ["Coffee with Boris", ["Café Lund", ""], 10, 16, 60],
  ["Concert", ["Old Granary", "Town hall"], 19, 20, 120],
  ["Train to Ghent", ["Platform 3", "Main station"], 7, 15, 90],
  ["Eye test", ["Optician Hale", ""], 9, 17, 30],
  ["Neighbours' dinner", ["", "Second floor"], 18, 20, 120],
  ["Repair café", ["Community house", ""], 14, 16, 120],
  ["Pottery class", ["Kiln House", ""], 17, 19, 120],
  ["Job interview", ["Tower B, floor 6", "Park Avenue 2"], 9, 15, 60],
  ["Physio", ["Practice Wren", ""], 8, 18, 30],
  ["Bike tour", ["", "Lock gate"], 9, 11, 180],
  ["Museum visit", ["Maritime museum", ""], 11, 15, 120],
  ["Call with the bank", ["", ""], 9, 16, 30],
  ["Budget meeting", ["Room Alder", ""], 10, 15, 60],
  ["First aid course", ["Fire station", ""], 9, 10, 180],
  ["Theatre", ["Lantern Stage", ""], 19, 20, 120],
  ["Garden day", ["", "Allotment 22"], 10, 14, 180],
  ["Tax adviser", ["Bridge Street 9", ""], 9, 16, 60],
];
const PEOPLE = ["Boris", "Chiara", "Dario", "Edda", "Farid", "Greta", "Hugo", "Imani", "Jasper", "Kirsten", "Lotte", "Marek"];
const REMINDERS = ["None", "5 minutes before", "10 minutes before", "30 minutes before", "1 hour before", "1 day before"];
const LENGTHS = ["15 minutes", "30 minutes", "60 minutes", "90 minutes", "120 minutes", "180 minutes"];
const COLOURS = { Blue: 212, Green: 145, Red: 2, Orange: 28, Purple: 272, Pink: 330 };
const WEEK_STARTS = ["Monday", "Saturday", "Sunday"];
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
