// What there is to do: lists and tasks to draw from. All of it is made up.
"use strict";

const MY_TASKS = [
  "Renew the passport", "Call the plumber", "Return the parcel", "Pay the water bill", "Book a haircut", "Write to Aunt Rosa", "Cancel the magazine",
  "Find the spare key", "Sew on the button", "Print the tickets", "Clean the bicycle chain", "Ask about the deposit", "Sort the photos", "Buy stamps",
];

/** Name, hue, and what belongs on it. */
const LISTS = [
  ["Groceries", 92, ["Bread rolls", "Olive oil", "Washing powder", "Goat cheese", "Cinnamon", "Paper bags", "Green tea", "Chickpeas", "Dark chocolate", "Vinegar"]],
  ["Office", 212, ["Send the offer to Bram", "Update the price list", "Prepare the workshop", "Order new badges", "Review the contract", "Book the meeting room", "Archive old invoices", "Thank the interns", "Check the backup tapes"]],
  ["Flat", 24, ["Fix the dripping tap", "Hang up the mirror", "Change the light bulb", "Clean the oven", "Oil the front door", "Measure the shelf", "Paint the radiator", "Replace the doormat", "Wash the windows"]],
  ["Allotment", 120, ["Sow the carrots", "Mend the fence", "Water the greenhouse", "Pick the currants", "Sharpen the shears", "Turn the compost", "Tie up the beans", "Collect rain barrels"]],
  ["Ferry trip", 190, ["Reserve the cabin", "Download the maps", "Pack the tent", "Exchange money", "Buy travel insurance", "Charge the camera", "Borrow a cool box", "Check the tyres"]],
  ["Evening class", 262, ["Read chapter four", "Learn twenty words", "Hand in the essay", "Rehearse the dialogue", "Print the worksheet", "Watch the lecture", "Meet the study group", "Revise the grammar"]],
  ["Street party", 328, ["Rent the benches", "Invite number twelve", "Borrow the barbecue", "Make the bunting", "Ask for the permit", "Plan the games", "Find a drummer", "Bake two trays"]],
  ["Wellbeing", 348, ["Stretch for ten minutes", "Book the eye test", "Refill the prescription", "Walk to the mill", "Cook without salt", "Go to bed early", "Call the physio", "Swim twenty lengths"]],
];

const STEPS = ["Look up the number", "Compare prices", "Ask Ines", "Take a picture", "Make a sketch", "Find the receipt", "Check the calendar", "Write it down", "Tell the others", "Clear the table"];
const DETAILS = ["Before noon if possible.", "The number is on the fridge.", "Theo knows more about it.", "Not more than twenty.", "Second door on the left.", "Bring the old one along."];
