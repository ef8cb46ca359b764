// Written by built-in/write.mjs from content files: pages and site.
export interface Topic {
  id: string;
  title: string;
  call: readonly string[];
  steps: readonly string[];
  avoid: string;
  today?: string;
  home?: string;
}

const topics: readonly Topic[] = [
  {
    "id": "not-breathing",
    "title": "Not awake, not breathing normally",
    "call": [
      "No answer, and no breath or only gasps"
    ],
    "steps": [
      "Lay them on their back on a firm surface.",
      "Press hard in the middle of the chest with both hands, 5 to 6 cm deep, about twice a second. Let the chest rise each time. Baby: two fingers, about 4 cm deep."
    ],
    "avoid": "Don’t stop until help takes over."
  },
  {
    "id": "choking",
    "title": "Choking",
    "call": [
      "Can’t speak, cough or breathe",
      "Hands at the throat, blue face"
    ],
    "steps": [
      "If they can cough, let them cough. If not, bend them forward: 5 firm blows between the shoulder blades.",
      "Then 5 thrusts: from behind, fist above the navel, pull in and up. In pregnancy, on the chest.",
      "Repeat. They pass out? Press the chest.",
      "Baby under 1: face down on your arm, 5 blows on the back, then 5 presses on the chest with two fingers."
    ],
    "avoid": "No finger sweeps in the mouth, no water. Baby: no belly thrusts.",
    "today": "It’s out, but a cough or pain stays, or they had belly thrusts."
  },
  {
    "id": "breathing",
    "title": "Trouble breathing",
    "call": [
      "Too breathless to finish a sentence",
      "Blue or grey lips, or skin sucked in between the ribs",
      "Drowsy, confused or exhausted"
    ],
    "steps": [
      "Sit them upright, leaning forward a little.",
      "Asthma: one puff of the reliever (often blue) inhaler every 30 to 60 seconds, up to 10 puffs. No help? Call again.",
      "Breathing stops? Press the chest."
    ],
    "avoid": "Don’t lay them flat or wait for the morning.",
    "today": "Wheezing, or the reliever is needed again within 4 hours.",
    "home": "A cold, breathing easily: rest and drink."
  },
  {
    "id": "chest-pain",
    "title": "Chest pain",
    "call": [
      "Pressure, tightness or burning for more than a few minutes",
      "Spreads to an arm, the jaw, neck or back",
      "Cold sweat, breathlessness or vomiting"
    ],
    "steps": [
      "Sit half upright. Loosen tight clothes.",
      "Ask us about aspirin: chew one 300 or 325 mg tablet. Not if allergic to it, bleeding or told not to take it.",
      "Collapsed, not breathing normally? Press the chest."
    ],
    "avoid": "Don’t drive yourself, walk, climb stairs or wait to see if it passes.",
    "today": "Pain that has gone, or comes with effort and goes with rest."
  },
  {
    "id": "stroke",
    "title": "Stroke (think FAST)",
    "call": [
      "Face: one side droops",
      "Arms: one drifts down when both are raised",
      "Speech: slurred or gone",
      "Time: any one of these? Call"
    ],
    "steps": [
      "Say: stroke. When were they last well? Treatment depends on it.",
      "Lay a drowsy person on their side. Bring all their medicines."
    ],
    "avoid": "No food, drink or aspirin. Don’t wait, even if it gets better."
  },
  {
    "id": "bleeding",
    "title": "Heavy bleeding",
    "call": [
      "Blood spurts, keeps flowing or soaks a cloth",
      "Pale, cold, sweating or confused"
    ],
    "steps": [
      "Press hard with a clean cloth. Keep pressing. Soaked through? Add another on top.",
      "Lay them down and keep them warm.",
      "A limb still bleeding dangerously: tie a broad band tightly above the wound, not on a joint. Note the time. Leave it on."
    ],
    "avoid": "Don’t pull out what’s stuck in the wound: press beside it. No powder, turmeric or coffee.",
    "today": "A deep or dirty cut. An animal bite: first wash it with soap under running water for 15 minutes.",
    "home": "A small cut: press, rinse with tap water, cover."
  },
  {
    "id": "allergy",
    "title": "Severe allergic reaction",
    "call": [
      "Swollen lips, tongue or throat, hoarse voice, noisy breathing",
      "Faint, cold or collapsed; a child goes limp",
      "Often with an itchy rash or vomiting, after food, a sting or a medicine"
    ],
    "steps": [
      "Adrenaline pen: use it now, in the outer thigh. Say: anaphylaxis.",
      "Lay them down, legs raised. If breathing is hard, let them sit.",
      "No better after 5 minutes? Use a second pen."
    ],
    "avoid": "No standing or walking, even if they feel better. Don’t wait for an allergy tablet to work.",
    "today": "A spreading rash without these signs.",
    "home": "A few itchy spots: cool them, watch for these signs."
  },
  {
    "id": "poisoning",
    "title": "Poisoning or snake bite",
    "call": [
      "Swallowed medicine, pesticide, cleaner or kerosene, or breathed in fumes, even if they feel well",
      "Snake bite, even without pain"
    ],
    "steps": [
      "Bring the packet. Fumes: get them into fresh air, if it’s safe.",
      "Skin or eyes: rinse with water for 20 minutes.",
      "Snake: keep them still and lying down, splint the limb, take off rings."
    ],
    "avoid": "Don’t make them vomit. No milk, salt water or oil. Snake: don’t cut, suck, tie tightly or chase it."
  },
  {
    "id": "child-fever",
    "title": "Fever in a child",
    "call": [
      "Under 3 months: 38°C (100.4°F) or more. Come in now, day or night",
      "Any age: limp, hard to wake, fast or hard breathing, a fit, a stiff neck, a rash that doesn’t fade when pressed"
    ],
    "steps": [],
    "avoid": "Under 3 months: no medicine before a doctor has seen the baby. No aspirin, ibuprofen or cold baths.",
    "today": "3 to 6 months: 39°C (102.2°F) or more. Any age: no urine for 8 hours, fever for 5 days, or you’re worried. At night too.",
    "home": "Over 3 months and alert: small drinks often, light clothes, rest. In distress: paracetamol as the label says for their weight."
  },
  {
    "id": "fits",
    "title": "Fits (seizures)",
    "call": [
      "Stiff or jerking, no answer: the first fit, over 5 minutes, or again",
      "In pregnancy, after an injury, in water, or they don’t wake"
    ],
    "steps": [
      "Look at the time. Move hard things away; put something soft under the head.",
      "When it stops, turn them on their side, check their breathing, stay until they’re fully awake."
    ],
    "avoid": "Don’t hold them down. Nothing in the mouth: no spoon, key or water.",
    "today": "A child with fever, once the fit is over.",
    "home": "Known epilepsy, the usual short fit, fully awake again: rest."
  },
  {
    "id": "burns",
    "title": "Burns",
    "call": [
      "Electricity, chemicals or smoke",
      "White or black skin; on the face, hands, feet or private parts; or larger than the person’s palm"
    ],
    "steps": [
      "Put out flames. Switch off the current before you touch anyone. Cool under running tap water for 20 minutes. Keep the rest of the body warm.",
      "Take off rings, bangles and loose clothes. Cover with cling film or a clean cloth."
    ],
    "avoid": "No ice, toothpaste, ghee, turmeric or ink. Don’t burst blisters or pull off what sticks.",
    "today": "Blisters, a small child or an older person. At night too.",
    "home": "Small, red and sore: cool and cover it."
  },
  {
    "id": "labour",
    "title": "Labour and pregnancy",
    "call": [
      "Pains every 5 minutes, or regular pains before 37 weeks",
      "Waters break, bleeding, or the baby moves less",
      "Strong headache, blurred sight or a fit"
    ],
    "steps": [
      "Lie on your left side on the way.",
      "Baby coming now? Stay where you are, call 108, keep the room warm.",
      "Dry the baby and lay it on the mother’s chest, skin to skin, both covered.",
      "Baby not breathing? Rub its back firmly with a cloth."
    ],
    "avoid": "Don’t pull on the baby or the cord. Don’t cut the cord."
  },
  {
    "id": "dengue",
    "title": "Dengue warning signs",
    "call": [
      "Strong belly pain, or vomiting again and again",
      "Bleeding from the nose or gums, black stools, blood in vomit",
      "Very weak, restless or drowsy, cold hands and feet, little urine",
      "Often on days 3 to 7, when the fever falls"
    ],
    "steps": [],
    "avoid": "No aspirin, ibuprofen or diclofenac.",
    "today": "Fever for 2 days or more: see a doctor for a blood test.",
    "home": "Otherwise: drink plenty (ORS, water, coconut water), rest, paracetamol only."
  }
];

export const EMERGENCY = {
  topics,
  "title": "In an emergency",
  "description": "Emergency number and first aid: chest pain, stroke, child fever, fits, burns, snake bite, labour.",
  "intro": "No answer? Call 108 or 112. Say where you are, what has happened and your number. Stay safe yourself.",
  "phones": [
    {
      "purpose": "emergency",
      "label": "Emergency, 24/7",
      "display": "+91 80 0000 0108",
      "e164": "+918000000108"
    },
    {
      "purpose": "ambulance",
      "label": "Ambulance, 24/7",
      "display": "+91 80 0000 0102",
      "e164": "+918000000102"
    }
  ],
  "address": "214, 9th Main Road, 4th T Block, Jayanagar, Bengaluru 560041"
};
