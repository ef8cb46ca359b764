// Written by pictures/draw.mjs.
import articlesHeartsWarningSigns from './articles/hearts-warning-signs.svg';
import articlesWhenWorryTakesOver from './articles/when-worry-takes-over.svg';
import articlesTheHalfPlateRule from './articles/the-half-plate-rule.svg';
import blogsDiabetesSmallChanges from './blogs/diabetes-small-changes.svg';
import blogsSaferDeepavali from './blogs/safer-deepavali.svg';
import blogsMeasureBloodPressure from './blogs/measure-blood-pressure.svg';
import blogsDiabetesAndTheEye from './blogs/diabetes-and-the-eye.svg';
import blogsDengueFirstDays from './blogs/dengue-first-days.svg';
import blogsOrsAndLooseMotions from './blogs/ors-and-loose-motions.svg';
import blogsKneePainAfterFifty from './blogs/knee-pain-after-fifty.svg';
import blogsHospitalBillAndInsurance from './blogs/hospital-bill-and-insurance.svg';
import blogsReadyForTheLabourRoom from './blogs/ready-for-the-labour-room.svg';
import blogsGettingSleepBack from './blogs/getting-sleep-back.svg';
import blogsVaccinesBirthToFive from './blogs/vaccines-birth-to-five.svg';
import blogsALumpInTheBreast from './blogs/a-lump-in-the-breast.svg';
import blogsSceneConsultation from './blogs/scene-consultation.svg';
import blogsSceneCoolWater from './blogs/scene-cool-water.svg';
import blogsSceneExercise from './blogs/scene-exercise.svg';
import blogsSceneFluids from './blogs/scene-fluids.svg';
import blogsSceneGrowth from './blogs/scene-growth.svg';
import blogsSceneKitchen from './blogs/scene-kitchen.svg';
import blogsSceneLamps from './blogs/scene-lamps.svg';
import blogsSceneMeasuring from './blogs/scene-measuring.svg';
import blogsSceneNewborn from './blogs/scene-newborn.svg';
import blogsSceneNotebook from './blogs/scene-notebook.svg';
import blogsSceneWalking from './blogs/scene-walking.svg';
import eventsHealthCamp from './events/health-camp.svg';
import eventsVaccinationDrive from './events/vaccination-drive.svg';
import eventsHeartSeminar from './events/heart-seminar.svg';
import eventsSugarCheck from './events/sugar-check.svg';
import eventsVaccinationMorning from './events/vaccination-morning.svg';
import eventsBirthClass from './events/birth-class.svg';
import eventsKneeSeminar from './events/knee-seminar.svg';
import eventsFirstAidWorkshop from './events/first-aid-workshop.svg';
import newsAccreditationRenewed from './news/accreditation-renewed.svg';
import newsAccreditationRenewedCertificate from './news/accreditation-renewed-certificate.svg';
import newsAccreditationRenewedTeam from './news/accreditation-renewed-team.svg';
import newsFasterXRayReports from './news/faster-x-ray-reports.svg';
import newsFasterXRayReportsRoom from './news/faster-x-ray-reports-room.svg';
import newsSchoolHealthProgramme from './news/school-health-programme.svg';
import newsSchoolHealthProgrammeSightTest from './news/school-health-programme-sight-test.svg';
import newsSchoolHealthProgrammeClass from './news/school-health-programme-class.svg';
import newsDengueDesk from './news/dengue-desk.svg';
import newsDengueDeskAdviceSheet from './news/dengue-desk-advice-sheet.svg';
import newsLabourRoomRenewed from './news/labour-room-renewed.svg';
import newsLabourRoomRenewedRoom from './news/labour-room-renewed-room.svg';
import newsLabourRoomRenewedCorridor from './news/labour-room-renewed-corridor.svg';
import newsBloodDonationAnniversary from './news/blood-donation-anniversary.svg';
import newsBloodDonationAnniversaryHall from './news/blood-donation-anniversary-hall.svg';
import newsSecondAdvancedAmbulance from './news/second-advanced-ambulance.svg';
import newsSecondAdvancedAmbulanceInside from './news/second-advanced-ambulance-inside.svg';
import newsSecondAdvancedAmbulanceCrew from './news/second-advanced-ambulance-crew.svg';
import promosVirtualConsultation from './promos/virtual-consultation.svg';
import promosHealthCheck from './promos/health-check.svg';
import promosFirstAid from './promos/first-aid.svg';
import promosEvents from './promos/events.svg';
import reviewsLakshmiN from './reviews/lakshmi-n.svg';
import reviewsImranP from './reviews/imran-p.svg';
import reviewsGraceM from './reviews/grace-m.svg';
import placeholder from './placeholder.svg';

/** Key of a picture in the content files to the address of the drawing. */
export const PICTURES: Readonly<Record<string, string>> = {
  'articles/hearts-warning-signs': articlesHeartsWarningSigns,
  'articles/when-worry-takes-over': articlesWhenWorryTakesOver,
  'articles/the-half-plate-rule': articlesTheHalfPlateRule,
  'blogs/diabetes-small-changes': blogsDiabetesSmallChanges,
  'blogs/safer-deepavali': blogsSaferDeepavali,
  'blogs/measure-blood-pressure': blogsMeasureBloodPressure,
  'blogs/diabetes-and-the-eye': blogsDiabetesAndTheEye,
  'blogs/dengue-first-days': blogsDengueFirstDays,
  'blogs/ors-and-loose-motions': blogsOrsAndLooseMotions,
  'blogs/knee-pain-after-fifty': blogsKneePainAfterFifty,
  'blogs/hospital-bill-and-insurance': blogsHospitalBillAndInsurance,
  'blogs/ready-for-the-labour-room': blogsReadyForTheLabourRoom,
  'blogs/getting-sleep-back': blogsGettingSleepBack,
  'blogs/vaccines-birth-to-five': blogsVaccinesBirthToFive,
  'blogs/a-lump-in-the-breast': blogsALumpInTheBreast,
  'blogs/scene-consultation': blogsSceneConsultation,
  'blogs/scene-cool-water': blogsSceneCoolWater,
  'blogs/scene-exercise': blogsSceneExercise,
  'blogs/scene-fluids': blogsSceneFluids,
  'blogs/scene-growth': blogsSceneGrowth,
  'blogs/scene-kitchen': blogsSceneKitchen,
  'blogs/scene-lamps': blogsSceneLamps,
  'blogs/scene-measuring': blogsSceneMeasuring,
  'blogs/scene-newborn': blogsSceneNewborn,
  'blogs/scene-notebook': blogsSceneNotebook,
  'blogs/scene-walking': blogsSceneWalking,
  'events/health-camp': eventsHealthCamp,
  'events/vaccination-drive': eventsVaccinationDrive,
  'events/heart-seminar': eventsHeartSeminar,
  'events/sugar-check': eventsSugarCheck,
  'events/vaccination-morning': eventsVaccinationMorning,
  'events/birth-class': eventsBirthClass,
  'events/knee-seminar': eventsKneeSeminar,
  'events/first-aid-workshop': eventsFirstAidWorkshop,
  'news/accreditation-renewed': newsAccreditationRenewed,
  'news/accreditation-renewed-certificate': newsAccreditationRenewedCertificate,
  'news/accreditation-renewed-team': newsAccreditationRenewedTeam,
  'news/faster-x-ray-reports': newsFasterXRayReports,
  'news/faster-x-ray-reports-room': newsFasterXRayReportsRoom,
  'news/school-health-programme': newsSchoolHealthProgramme,
  'news/school-health-programme-sight-test': newsSchoolHealthProgrammeSightTest,
  'news/school-health-programme-class': newsSchoolHealthProgrammeClass,
  'news/dengue-desk': newsDengueDesk,
  'news/dengue-desk-advice-sheet': newsDengueDeskAdviceSheet,
  'news/labour-room-renewed': newsLabourRoomRenewed,
  'news/labour-room-renewed-room': newsLabourRoomRenewedRoom,
  'news/labour-room-renewed-corridor': newsLabourRoomRenewedCorridor,
  'news/blood-donation-anniversary': newsBloodDonationAnniversary,
  'news/blood-donation-anniversary-hall': newsBloodDonationAnniversaryHall,
  'news/second-advanced-ambulance': newsSecondAdvancedAmbulance,
  'news/second-advanced-ambulance-inside': newsSecondAdvancedAmbulanceInside,
  'news/second-advanced-ambulance-crew': newsSecondAdvancedAmbulanceCrew,
  'promos/virtual-consultation': promosVirtualConsultation,
  'promos/health-check': promosHealthCheck,
  'promos/first-aid': promosFirstAid,
  'promos/events': promosEvents,
  'reviews/lakshmi-n': reviewsLakshmiN,
  'reviews/imran-p': reviewsImranP,
  'reviews/grace-m': reviewsGraceM,
  placeholder,
};
