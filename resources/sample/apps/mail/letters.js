// Mail: who writes, and what is in the letters. All of it is invented.
"use strict";

/** First name, hue; the address follows from the name. */
const WRITERS = [
  ["Mira", 340],
  ["Teodor", 200],
  ["Ayana", 24],
  ["Lucas", 150],
  ["Selin", 280],
  ["Bruno", 96],
  ["Ingrid", 224],
  ["Kofi", 48],
  ["Hana", 8],
  ["Rafael", 176],
  ["Noor", 310],
  ["Piotr", 120],
  ["Elif", 260],
  ["Jonas", 36],
  ["Maud", 190],
  ["Tariq", 68],
];

/** Subject, lines of the letter, attached file if there is one. */
const LETTERS = [
  ["Choir rehearsal moved", ["The hall is being painted, so we sing in the old gym this week.", "Please bring the blue folder and a pencil."]],
  ["Minutes of the house meeting", ["Thanks for coming. The minutes are attached.", "The bike shed gets a new roof in spring."], "minutes.pdf"],
  ["Train tickets to the coast", ["I found two seats by the window.", "Tell me by tonight whether I should book them."], "tickets.pdf"],
  ["Your bread recipe", ["I tried it twice and the crust was perfect.", "How long do you leave it to rest overnight?"]],
  ["Photos of the hike", ["Here are the best ones, the light was lovely.", "Take whatever you like for the calendar."], "ridge.jpg"],
  ["Questions about the invoice", ["The second line seems to be counted twice.", "Could you have a look before Friday?"], "invoice-204.pdf"],
  ["Plan for the garden day", ["We start at nine with the hedges and stop for soup at noon.", "Gloves are in the shed."]],
  ["Broken lift", ["The lift stops between the third and the fourth floor.", "The mechanic comes tomorrow morning."]],
  ["Reading circle in May", ["The next book is a slim one, promised.", "We meet at my place, the bell does not work, so knock."]],
  ["Spare key", ["I left a spare key with the neighbour on the left.", "She is at home until six."]],
  ["Draft of the poster", ["What do you think of the yellow one?", "I can still change the letters."], "poster.png"],
  ["Lost scarf", ["Somebody left a grey scarf after the concert.", "Is it yours?"]],
  ["Swimming course", ["There is one place left in the evening group.", "It starts after the holidays."]],
  ["Flat viewing on Saturday", ["You can see the flat at eleven.", "Please bring proof of income, a copy is enough."]],
  ["Thank you for the plums", ["We made nine jars of jam.", "One of them is yours, come by."]],
  ["Bicycle for sale", ["It has new brakes and a basket.", "I would rather give it to somebody I know."]],
  ["Change of shift", ["Could you take my early shift on Tuesday?", "I would do your Sunday."]],
  ["The museum is free on Sunday", ["Shall we go before the crowds?", "The paper boats are on the top floor."]],
  ["Results of the survey", ["Most people want longer opening hours.", "The table is attached."], "survey.csv"],
  ["Babysitting next week", ["Are you still free on Wednesday evening?", "They go to bed at eight."]],
  ["Water bill", ["Your bill for this quarter is ready.", "Nothing needs to be done, it is paid by itself."], "water.pdf"],
  ["Seeds for the balcony", ["I have too many tomato seedlings again.", "They need sun and a deep pot."]],
];

const JUNK = [
  ["Prize Desk", "You have won a fridge"],
  ["Quick Credit", "Money in ten minutes"],
  ["Miracle Soles", "Walk without feeling it"],
];
