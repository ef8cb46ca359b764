// Written by built-in/write.mjs from content files: pages and site.
export const EMERGENCY = {
  "slug": "emergency",
  "title": "In an emergency",
  "description": "Emergency number and first aid: chest pain, stroke, breathing, child fever, fits, allergy, bleeding, burns, choking, poisoning, dengue, labour.",
  "intro": "Call us first. No answer? Call 108 (free ambulance) or 112. Say where you are, what has happened and your number. Then follow the steps below. Stay safe yourself.",
  "first": [
    {
      "id": "not-breathing",
      "heading": "Not awake and not breathing normally",
      "paragraphs": [
        "Call for help. Lay them on their back on a firm surface. Press hard in the middle of the chest with both hands, 5 to 6 cm deep, about twice a second, and let the chest rise each time. Don’t stop until help takes over. Baby: two fingers, about 4 cm deep."
      ]
    }
  ],
  "troubles": [
    {
      "id": "chest-pain",
      "title": "Chest pain",
      "signs": [
        "Pressure, tightness or burning for more than a few minutes",
        "Spreads to an arm, the jaw, neck or back",
        "Cold sweat, breathlessness or vomiting"
      ],
      "steps": [
        "Call an ambulance. Don’t drive yourself.",
        "Sit down, half upright. Loosen tight clothes.",
        "Ask us about aspirin: one 300 or 325 mg tablet, chewed. Not if you’re allergic to it, bleeding or told not to take it.",
        "If they collapse and aren’t breathing normally, press the chest."
      ],
      "avoid": [
        "Don’t wait to see if it passes.",
        "Don’t walk or climb stairs."
      ]
    },
    {
      "id": "stroke",
      "title": "Stroke: think FAST",
      "signs": [
        "Face: one side droops",
        "Arms: one drifts down when both are raised",
        "Speech: slurred or gone",
        "Time: call if you see any one of these"
      ],
      "steps": [
        "Call an ambulance. Say “stroke”.",
        "Note when they were last well. Treatment depends on it.",
        "Lay a drowsy person on their side.",
        "Bring all their medicines."
      ],
      "avoid": [
        "Give nothing to eat or drink, and no aspirin.",
        "Don’t wait, even if it gets better."
      ]
    },
    {
      "id": "breathing",
      "title": "Trouble breathing",
      "signs": [
        "Too breathless to finish a sentence",
        "Blue or grey lips, or skin sucked in between the ribs",
        "Drowsy, confused or exhausted"
      ],
      "steps": [
        "Call an ambulance.",
        "Sit them upright, leaning forward a little.",
        "Asthma: one puff of the reliever (often blue) inhaler every 30 to 60 seconds, up to 10 puffs. Call again if it doesn’t help.",
        "If they stop breathing, press the chest."
      ],
      "avoid": [
        "Don’t lay them flat.",
        "Don’t wait for the morning."
      ]
    },
    {
      "id": "child-fever",
      "title": "Fever in a child",
      "signs": [
        "Under 3 months: 38°C (100.4°F) or more",
        "3 to 6 months: 39°C (102.2°F) or more",
        "Any age: limp, hard to wake, breathing fast or hard, a fit, a stiff neck, a rash that doesn’t fade when pressed, no urine for 8 hours, or fever for 5 days"
      ],
      "steps": [
        "With any of these, come in now, day or night.",
        "Otherwise: small drinks often, light clothes, rest.",
        "If the child is in distress, give paracetamol as the label says for their weight."
      ],
      "avoid": [
        "Under 3 months, give no medicine before a doctor has seen the baby.",
        "No aspirin, no ibuprofen, no cold baths."
      ]
    },
    {
      "id": "fits",
      "title": "Fits (seizures)",
      "signs": [
        "Stiff or jerking body, no answer",
        "Call an ambulance if it’s the first fit, lasts over 5 minutes or comes again, or in pregnancy, after an injury, in water, or if they don’t wake"
      ],
      "steps": [
        "Look at the time. Move hard things away; put something soft under the head.",
        "When it stops, turn them on their side and check their breathing.",
        "Stay until they’re fully awake.",
        "A child with fever: do the same, then come in."
      ],
      "avoid": [
        "Don’t hold them down.",
        "Put nothing in the mouth: no spoon, key or water."
      ]
    },
    {
      "id": "allergy",
      "title": "Severe allergic reaction",
      "signs": [
        "Swollen lips, tongue or throat, hoarse voice, noisy breathing",
        "Faint, cold or collapsed; a child goes limp",
        "Often with an itchy rash or vomiting, after food, a sting or a medicine"
      ],
      "steps": [
        "Adrenaline pen, if there is one: use it now, in the outer thigh.",
        "Call an ambulance. Say “anaphylaxis”.",
        "Lay them down, legs raised. If breathing is hard, let them sit.",
        "No better after 5 minutes? Use a second pen."
      ],
      "avoid": [
        "Don’t let them stand or walk, even if they feel better.",
        "Don’t wait for an allergy tablet to work."
      ]
    },
    {
      "id": "bleeding",
      "title": "Heavy bleeding",
      "signs": [
        "Blood spurts, keeps flowing or soaks a cloth",
        "Pale, cold, sweating or confused"
      ],
      "steps": [
        "Press hard on the wound with a clean cloth. Keep pressing.",
        "Soaked through? Put another cloth on top.",
        "Lay them down and keep them warm.",
        "A limb still bleeding dangerously: tie a broad band tightly above the wound, not on a joint. Note the time. Leave it on."
      ],
      "avoid": [
        "Don’t pull out anything stuck in the wound. Press beside it.",
        "No powder, turmeric or coffee."
      ]
    },
    {
      "id": "burns",
      "title": "Burns",
      "signs": [
        "Come in if it’s larger than the person’s palm, white or black, or on the face, hands, feet or private parts",
        "Also if electricity or chemicals caused it, or in a small child or an older person"
      ],
      "steps": [
        "Put out flames. Switch off the current before you touch anyone.",
        "Cool under running tap water for 20 minutes. Keep the rest of the body warm.",
        "Take off rings, bangles and loose clothes.",
        "Cover with cling film or a clean cloth."
      ],
      "avoid": [
        "No ice, toothpaste, ghee, turmeric or ink.",
        "Don’t burst blisters or pull off what sticks."
      ]
    },
    {
      "id": "choking",
      "title": "Choking",
      "signs": [
        "Can’t speak, cough or breathe",
        "Hands at the throat, face turning blue"
      ],
      "steps": [
        "If they can cough, let them cough.",
        "If not, bend them forward: 5 firm blows between the shoulder blades.",
        "Then 5 thrusts: from behind, fist above the navel, pull in and up. In pregnancy, on the chest.",
        "Repeat. If they pass out, call and press the chest.",
        "Baby under 1: face down on your arm, 5 blows on the back, then 5 presses on the chest with two fingers."
      ],
      "avoid": [
        "Don’t sweep a finger through the mouth. Give no water.",
        "No belly thrusts for a baby."
      ]
    },
    {
      "id": "poisoning",
      "title": "Poisoning or snake bite",
      "signs": [
        "Swallowed medicine, pesticide, cleaner or kerosene",
        "Breathed in fumes or gas",
        "Snake bite, even without pain"
      ],
      "steps": [
        "Call at once, even if they feel well. Bring the packet.",
        "Fumes: get them into fresh air, if it’s safe.",
        "Skin or eyes: rinse with water for 20 minutes.",
        "Snake: keep them still and lying down, splint the limb, take off rings. Come quickly."
      ],
      "avoid": [
        "Don’t make them vomit. No milk, salt water or oil.",
        "Snake: don’t cut, suck or tie tightly. Don’t chase it."
      ]
    },
    {
      "id": "dengue",
      "title": "Dengue: warning signs",
      "signs": [
        "Strong belly pain, or vomiting again and again",
        "Bleeding from the nose or gums, black stools, blood in vomit",
        "Very weak, restless or drowsy, cold hands and feet, little urine",
        "Often on days 3 to 7, when the fever falls"
      ],
      "steps": [
        "With any one of these, come in now.",
        "Without them: drink plenty (ORS, water, coconut water), rest, paracetamol only.",
        "Fever for 2 days or more? See a doctor for a blood test."
      ],
      "avoid": [
        "No aspirin, ibuprofen or diclofenac."
      ]
    },
    {
      "id": "labour",
      "title": "Labour and pregnancy",
      "signs": [
        "Pains every 5 minutes, or regular pains before 37 weeks",
        "Waters break, bleeding, or the baby moves less",
        "Strong headache, blurred sight or a fit"
      ],
      "steps": [
        "Call us. Lie on your left side on the way.",
        "Baby coming now? Stay where you are, call 108, keep the room warm.",
        "Hold the baby, dry it and lay it on the mother’s chest, skin to skin, both covered.",
        "Baby not breathing? Rub its back firmly with a cloth."
      ],
      "avoid": [
        "Don’t pull on the baby or the cord. Don’t cut the cord."
      ]
    }
  ],
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
