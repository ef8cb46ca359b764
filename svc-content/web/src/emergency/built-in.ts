// Written by built-in/write.mjs from content files: pages and site.
export const EMERGENCY = {
  "slug": "emergency",
  "title": "In an emergency",
  "description": "Emergency number, how to reach us at any hour, and what to do before help arrives: chest pain, stroke, bleeding, burns, choking, poisoning, labour.",
  "intro": "Call us first. If you cannot reach us, call 108 for the free public ambulance or 112. Say where you are, what has happened and your number, and stay on the line. Then do what stands here. Keep yourself safe.",
  "first": [
    {
      "id": "not-breathing",
      "heading": "Not awake and not breathing normally",
      "paragraphs": [
        "Call for help. Lay the person on the back on a firm surface. Put both hands in the middle of the chest and press hard, 5 to 6 centimetres deep and about two times a second. Let the chest rise each time. Do not stop until help takes over. For a baby, use two fingers and press about 4 centimetres."
      ]
    }
  ],
  "troubles": [
    {
      "id": "chest-pain",
      "title": "Chest pain",
      "signs": [
        "Pressure, tightness or burning in the chest for more than a few minutes",
        "Pain that spreads to arm, jaw, neck or back",
        "Cold sweat, breathlessness, vomiting, or sudden great weakness"
      ],
      "steps": [
        "Call an ambulance. Do not drive yourself.",
        "Sit down, half upright. Loosen tight clothes.",
        "Ask on the telephone about aspirin: one tablet of 300 or 325 mg, chewed. Not with an allergy to it, bleeding, or if a doctor has forbidden it.",
        "If the person collapses and does not breathe normally, press the chest."
      ],
      "avoid": [
        "Do not wait to see whether it passes.",
        "Do not walk to the hospital or climb stairs."
      ]
    },
    {
      "id": "stroke",
      "title": "Stroke: think FAST",
      "signs": [
        "F, face: one side droops when the person smiles",
        "A, arms: one arm sinks when both are raised",
        "S, speech: slurred, strange or gone",
        "T, time: call at once if you see any one of these"
      ],
      "steps": [
        "Call an ambulance and say: stroke.",
        "Remember when the person was last well. The treatment depends on it.",
        "Lay a drowsy person on the side. Otherwise head and shoulders slightly raised.",
        "Bring all medicines along."
      ],
      "avoid": [
        "Give nothing to eat or drink.",
        "Give no aspirin and no blood pressure tablet.",
        "Do not wait, even if it gets better."
      ]
    },
    {
      "id": "bleeding",
      "title": "Heavy bleeding",
      "signs": [
        "Blood that spurts, flows without stopping or soaks a cloth",
        "Pale, cold, sweating or confused"
      ],
      "steps": [
        "Press hard on the wound with a clean cloth and keep pressing.",
        "If it soaks through, put another cloth on top. Do not lift the first.",
        "Lay the person down and keep them warm.",
        "If a limb still bleeds dangerously, tie a broad band tightly above the wound, not over a joint. Note the time. Do not loosen it."
      ],
      "avoid": [
        "Do not pull out anything that is stuck in the wound; press beside it.",
        "Put no powder, turmeric or coffee on it."
      ]
    },
    {
      "id": "burns",
      "title": "Burns",
      "signs": [
        "Come to us if the burn is larger than the person's palm",
        "Also if it is on face, hands, feet or private parts, is white or black, came from electricity or chemicals, or the person is a small child or old"
      ],
      "steps": [
        "Put out flames; switch off current before you touch anybody.",
        "Cool with running tap water for 20 minutes. Keep the rest of the body warm.",
        "Take off rings, bangles and loose clothes.",
        "Cover with cling film or a clean cloth."
      ],
      "avoid": [
        "No ice, toothpaste, ghee, turmeric or ink.",
        "Do not open blisters or pull off what sticks."
      ]
    },
    {
      "id": "choking",
      "title": "Choking",
      "signs": [
        "Cannot speak, cough or breathe",
        "Hands at the throat, face turning blue"
      ],
      "steps": [
        "If the person can cough, let them cough.",
        "If not: bend them forward and give 5 firm blows between the shoulder blades.",
        "Then 5 thrusts: stand behind, fist above the navel, pull in and up. In late pregnancy, on the chest.",
        "Repeat 5 and 5. If they lose consciousness, call and press the chest.",
        "Baby under one year: face down on your arm, 5 blows on the back, then 5 presses on the chest with two fingers. No thrusts on the belly."
      ],
      "avoid": [
        "Do not sweep a finger blindly through the mouth.",
        "Give no water."
      ]
    },
    {
      "id": "poisoning",
      "title": "Poisoning or snake bite",
      "signs": [
        "Swallowed medicine, pesticide, cleaner or kerosene",
        "Fumes or gas breathed in",
        "Bite of a snake, even without pain"
      ],
      "steps": [
        "Call at once, even if the person feels well.",
        "Fumes: get out into fresh air, if you can do it safely.",
        "Skin or eyes: rinse with plenty of water for 20 minutes.",
        "Bring the packet or bottle. Lay a drowsy person on the side.",
        "Snake bite: keep the person calm and lying down, keep the limb still with a splint, take off rings. Come quickly."
      ],
      "avoid": [
        "Do not make the person vomit. Give no milk, salt water or oil.",
        "Snake bite: do not cut, suck or tie tightly. Do not look for the snake."
      ]
    },
    {
      "id": "labour",
      "title": "Labour and pregnancy",
      "signs": [
        "Pains every five minutes, or any regular pain before 37 weeks",
        "Waters break, bleeding, or the baby moves less",
        "Strong headache, blurred sight or a fit"
      ],
      "steps": [
        "Call us. Lie on your left side on the way. Bring your record if it is at hand.",
        "If the baby is coming now: stay where you are, call 108, keep the room warm, wash your hands.",
        "Let the baby come; hold it, it is slippery. Dry it and lay it on the mother's chest, skin to skin, both covered.",
        "If the baby does not breathe, rub its back firmly with a cloth."
      ],
      "avoid": [
        "Do not pull on the baby or the cord.",
        "Do not cut the cord. Wait for help."
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
