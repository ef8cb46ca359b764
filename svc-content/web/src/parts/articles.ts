// Written by built-in/write.mjs from content files: articles.
export interface BuiltInArticle {
  id: string;
  slug: string;
  category: string;
  readTime: string;
  title: string;
  /** YYYY-MM-DD. */
  date: string;
  author: string;
  image: string;
  summary: string;
  paragraphs: string[];
}

export const ARTICLES: readonly BuiltInArticle[] = [
  {
    "id": "hearts-warning-signs",
    "slug": "the-warning-signs-of-a-heart-in-trouble",
    "category": "Cardiology",
    "readTime": "5 min read",
    "title": "The warning signs of a heart in trouble",
    "date": "2026-08-10",
    "author": "Dr. Nandini Iyengar",
    "image": "/images/articles/hearts-warning-signs.svg",
    "summary": "A heart attack does not always look as it does in films. What to watch for, what to do in the first minutes and how to lower your risk from today.",
    "paragraphs": [
      "In films, a man grips his chest and falls. In life, a heart attack often begins quietly. A shopkeeper feels a weight on his chest while lifting a sack and blames the idli he had for breakfast. A teacher is short of breath on stairs that she has climbed for years. Both wait, and waiting is the dangerous part.",
      "A heart attack happens when one of the arteries that feed the heart muscle is blocked, usually by a clot on a narrowed place. Behind the block, muscle begins to die within minutes. If the artery is opened early, most of the muscle can be saved. If it is opened after many hours, much of it is lost for good.",
      "The usual sign is pressure, tightness, burning or heaviness in the middle of the chest that lasts more than a few minutes, or that goes and comes back. It may spread to the left arm, both arms, the jaw, the neck, the back or the upper belly. Cold sweat, sickness, breathlessness and a feeling that something is terribly wrong often come with it.",
      "Some people have no chest pain at all. Women, people over 70 and people with diabetes may only feel breathless, unusually tired, dizzy or sick. If you belong to one of these groups, take a sudden change seriously, even if it seems small. Pain that a finger can point to, that changes when you press or turn, is less likely to come from the heart, but you need not decide that by yourself.",
      "If you suspect a heart attack, do three things. First, call for an ambulance: our emergency number, 108 or 112. Do not drive yourself and do not wait for a relative to come home. Second, sit down, half upright, and loosen tight clothes. Third, ask on the telephone about aspirin: chewing one tablet of 300 or 325 milligrams helps many people, but not those who are allergic to it, are bleeding or have been told not to take it. If someone collapses and does not breathe normally, press hard and fast in the middle of the chest, about two times a second, until help arrives.",
      "There are also slower warnings. Chest tightness that comes when you walk uphill and goes when you rest is called angina. It means that an artery is narrow but not closed. Angina that is new, comes more often or comes at rest needs a doctor the same day. Swollen feet, waking up breathless at night, and a need for more pillows can mean that the heart is pumping weakly. An uneven or racing heartbeat with fainting should never wait.",
      "In India heart disease comes early. Many people who have a first heart attack are under 55, and some are under 40. Much of the risk can be changed. Tobacco in every form, smoked or chewed, is the first thing to give up; the risk begins to fall within days. High blood pressure and diabetes give no pain, so they have to be measured. Cholesterol is checked with a simple blood test. Being active for 150 minutes a week, such as 30 minutes of brisk walking on five days, protects the heart as well as many tablets do. Salt should stay under a level teaspoon a day, counting what is in pickles, papad and packet food.",
      "Know your numbers by the age of 30, or at 20 if a parent, brother or sister had heart disease before 55 (men) or 65 (women). And if tablets have been prescribed, take them on the good days too. They are the reason that the days are good.",
      "This article gives general information. It cannot tell you what your own symptoms mean. If you are worried, please see a doctor, and in an emergency call at once."
    ]
  },
  {
    "id": "when-worry-takes-over",
    "slug": "when-worry-takes-over",
    "category": "Mental Health",
    "readTime": "7 min read",
    "title": "When worry takes over",
    "date": "2026-05-22",
    "author": "Dr. Ayesha Khanum",
    "image": "/images/articles/when-worry-takes-over.svg",
    "summary": "Everyone worries. When worry fills the day, disturbs sleep and keeps you from living, it has a name and it can be treated.",
    "paragraphs": [
      "Worry is useful. It makes us lock the door, study for the examination and take the child to the doctor. But sometimes it stops being a messenger and becomes a lodger. It is there on waking, it sits at the table, and at night it will not let you sleep. When that goes on for weeks, doctors speak of an anxiety disorder. It is one of the commonest illnesses there is, and one of those that answer best to treatment.",
      "Anxiety lives in the body as much as in the mind. The heart races, the hands sweat, the stomach turns, the shoulders ache. Many people first see a heart or stomach doctor, have many tests and hear that all is well. The tests are right, and the complaint is real too. A body that believes it is in danger prepares to run, and if there is nothing to run from, the strength has nowhere to go.",
      "There are several kinds. In general anxiety, the worry jumps from money to health to the children and back. In panic, fear rises within minutes to a peak, with a pounding heart and the thought of dying, and fades within half an hour. In social anxiety, it is the eyes of others that frighten. Some people fear one thing only, such as lifts or blood. After a terrible event, pictures of it may come back by day and by night. And fear can hide behind anger, alcohol or a phone that is never put down.",
      "How do you know when to look for help? Ask yourself three questions. Is the worry there on most days, for more than two weeks? Does it keep me from work, study, sleep or people I love? Do I avoid things because of it, so that my life is getting smaller? If you say yes to one of them, a talk with a doctor is worthwhile. It may turn out to be thyroid trouble, low haemoglobin, a side effect of a medicine or too much coffee; that too is good to know.",
      "Some things help almost everyone. The first is to breathe out slowly. Breathe in through the nose while you count to four, and out while you count to six, for five minutes. A long breath out tells the body that the danger is over. Practise it when you are calm, so that you have it ready when you are not.",
      "The second is to move. A brisk walk of 30 minutes lowers tension for hours. Yoga, cricket with the children and sweeping the courtyard count too. The third is a fixed hour for rising, seven days a week, and no news or messages in the hour before bed. The fourth is to drink less coffee and tea after noon, and little alcohol or none; alcohol calms for an evening and makes the next day more anxious.",
      "The fifth is to give worry its own time. Choose 20 minutes in the early evening. When a worry comes at another hour, write down one line and tell yourself that its turn will come at six. At six, read the list. Half of it will have solved itself. For the rest, ask whether there is a small step that you can take tomorrow. If there is, write it down; if there is none, let the page keep it for you.",
      "The sixth is the hardest: go towards what you fear, in small steps. Avoiding something feels good for a moment and makes the fear grow. If crowded buses frighten you, begin by standing at the stop, then ride one stop with a friend, then two, then alone. Stay each time until the fear begins to fall. It does fall, for everyone, if one waits.",
      "If these things are not enough, two treatments have been well studied. One is talking treatment, above all cognitive behaviour therapy, in which you learn over eight to sixteen meetings to test your thoughts and change your habits. The other is medicine, usually one that raises the level of serotonin, a messenger in the brain. It takes two to six weeks to work, does not create craving and is continued for some months after you feel well. Tablets that calm within the hour have their place for short times only, because the body gets used to them. Please do not take them from a friend or buy them without a prescription.",
      "Perhaps you are reading this because of someone else. Then listen first. Sentences such as 'be strong' or 'others have it worse' are meant kindly and close the door. 'I can see this is hard. Shall we find help together?' opens it. You do not have to have an answer.",
      "Talking about mental health still costs courage in many homes. It may help to know that what you say to a psychiatrist or psychologist stays private, that medicines need not be for life, and that most people with anxiety who are treated get clearly better and many get well.",
      "If you ever think of ending your life, or fear for someone else's, please act at once. Call our emergency number or come in, at any hour. Tele-MANAS, the government's free helpline, answers on 14416 by day and night in many languages. You will not be judged, and you will not be the first to call."
    ]
  },
  {
    "id": "the-half-plate-rule",
    "slug": "the-half-plate-rule",
    "category": "Nutrition",
    "readTime": "4 min read",
    "title": "The half-plate rule",
    "date": "2026-03-02",
    "author": "Dietetics Team",
    "image": "/images/articles/the-half-plate-rule.svg",
    "summary": "You do not need to count calories or give up rice. Look at your plate: half of it belongs to vegetables.",
    "paragraphs": [
      "Advice about food is everywhere, and much of it contradicts the rest. One neighbour gives up rice, another lives on juice. We suggest something simpler that works in a Bengaluru kitchen, at a wedding and in the office canteen. Look at your plate and divide it in your mind.",
      "Half of the plate is for vegetables, cooked or raw: beans palya, greens, ridge gourd, carrot, cucumber, tomato. Potato does not count here; it belongs with the rice. One quarter is for protein, the building material of the body: dal, sambar with plenty of dal, chana, rajma, curd, paneer, egg, fish or chicken. One quarter is for grain: rice, ragi mudde, chapati, jowar roti or millet. A spoon of oil, a few nuts, and a fruit after the meal complete it.",
      "Most plates in our city look different. Rice or roti fills three quarters, and the vegetable is a spoonful at the side. White rice and refined flour turn into sugar quickly. A person who sits for most of the day cannot use that sugar, so the body stores it, first around the waist and then in the liver. That is one reason why diabetes is so common here, even in people who are thin.",
      "Changing the shape of the plate does three things. Vegetables fill the stomach for few calories. Protein keeps you full for longer and protects the muscles. And the sugar in the blood rises more slowly after the meal. You may keep the rice that you love; there is just less of it, and it has better company. Eating the vegetables and dal first and the rice last helps a little more.",
      "Some small steps make it easier. Cut the vegetables in the evening, when there is time. Cook one dish of greens every second day, because they are cheap and give iron. Put a bowl of sprouts or roasted chana where the biscuits used to be. Add a handful of ragi or whole wheat to the dosa batter. Drink water, buttermilk without sugar, or tea with half the usual sugar; after two weeks you will find the old amount too sweet.",
      "Salt and oil deserve a thought. A level teaspoon of salt a day is enough for an adult, and half a litre of oil a month for each person. Pickle, papad and packet snacks carry more of both than we think. Oil that has been used for frying should not be heated again and again.",
      "What about children? The same plate, only smaller. They need fat and milk for growth, and they eat what they see you eat. For older people protein matters most, because muscles shrink with age: an egg, a bowl of dal or a cup of curd at each meal keeps them on their feet.",
      "One warning. If you have kidney disease, take insulin or tablets for diabetes, are pregnant or have lost weight without wanting to, ask a doctor or dietician before you change much. For everyone else, start today with one meal. Half a plate of vegetables. The rest follows."
    ]
  }
];
