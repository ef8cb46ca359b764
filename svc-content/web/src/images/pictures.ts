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
import articlesHeartsWarningSignsSvg from './articles/hearts-warning-signs.svg?raw';
import articlesWhenWorryTakesOverSvg from './articles/when-worry-takes-over.svg?raw';
import articlesTheHalfPlateRuleSvg from './articles/the-half-plate-rule.svg?raw';
import blogsDiabetesSmallChangesSvg from './blogs/diabetes-small-changes.svg?raw';
import blogsSaferDeepavaliSvg from './blogs/safer-deepavali.svg?raw';
import blogsMeasureBloodPressureSvg from './blogs/measure-blood-pressure.svg?raw';
import blogsDiabetesAndTheEyeSvg from './blogs/diabetes-and-the-eye.svg?raw';
import blogsDengueFirstDaysSvg from './blogs/dengue-first-days.svg?raw';
import blogsOrsAndLooseMotionsSvg from './blogs/ors-and-loose-motions.svg?raw';
import blogsKneePainAfterFiftySvg from './blogs/knee-pain-after-fifty.svg?raw';
import blogsHospitalBillAndInsuranceSvg from './blogs/hospital-bill-and-insurance.svg?raw';
import blogsReadyForTheLabourRoomSvg from './blogs/ready-for-the-labour-room.svg?raw';
import blogsGettingSleepBackSvg from './blogs/getting-sleep-back.svg?raw';
import blogsVaccinesBirthToFiveSvg from './blogs/vaccines-birth-to-five.svg?raw';
import blogsALumpInTheBreastSvg from './blogs/a-lump-in-the-breast.svg?raw';
import eventsHealthCampSvg from './events/health-camp.svg?raw';
import eventsVaccinationDriveSvg from './events/vaccination-drive.svg?raw';
import eventsHeartSeminarSvg from './events/heart-seminar.svg?raw';
import eventsSugarCheckSvg from './events/sugar-check.svg?raw';
import eventsVaccinationMorningSvg from './events/vaccination-morning.svg?raw';
import eventsBirthClassSvg from './events/birth-class.svg?raw';
import eventsKneeSeminarSvg from './events/knee-seminar.svg?raw';
import eventsFirstAidWorkshopSvg from './events/first-aid-workshop.svg?raw';
import newsAccreditationRenewedSvg from './news/accreditation-renewed.svg?raw';
import newsAccreditationRenewedCertificateSvg from './news/accreditation-renewed-certificate.svg?raw';
import newsAccreditationRenewedTeamSvg from './news/accreditation-renewed-team.svg?raw';
import newsFasterXRayReportsSvg from './news/faster-x-ray-reports.svg?raw';
import newsFasterXRayReportsRoomSvg from './news/faster-x-ray-reports-room.svg?raw';
import newsSchoolHealthProgrammeSvg from './news/school-health-programme.svg?raw';
import newsSchoolHealthProgrammeSightTestSvg from './news/school-health-programme-sight-test.svg?raw';
import newsSchoolHealthProgrammeClassSvg from './news/school-health-programme-class.svg?raw';
import newsDengueDeskSvg from './news/dengue-desk.svg?raw';
import newsDengueDeskAdviceSheetSvg from './news/dengue-desk-advice-sheet.svg?raw';
import newsLabourRoomRenewedSvg from './news/labour-room-renewed.svg?raw';
import newsLabourRoomRenewedRoomSvg from './news/labour-room-renewed-room.svg?raw';
import newsLabourRoomRenewedCorridorSvg from './news/labour-room-renewed-corridor.svg?raw';
import newsBloodDonationAnniversarySvg from './news/blood-donation-anniversary.svg?raw';
import newsBloodDonationAnniversaryHallSvg from './news/blood-donation-anniversary-hall.svg?raw';
import newsSecondAdvancedAmbulanceSvg from './news/second-advanced-ambulance.svg?raw';
import newsSecondAdvancedAmbulanceInsideSvg from './news/second-advanced-ambulance-inside.svg?raw';
import newsSecondAdvancedAmbulanceCrewSvg from './news/second-advanced-ambulance-crew.svg?raw';

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

/** The drawings themselves, of those that can be in the first screen. */
export const SOURCES: Readonly<Record<string, string>> = {
  'articles/hearts-warning-signs': articlesHeartsWarningSignsSvg,
  'articles/when-worry-takes-over': articlesWhenWorryTakesOverSvg,
  'articles/the-half-plate-rule': articlesTheHalfPlateRuleSvg,
  'blogs/diabetes-small-changes': blogsDiabetesSmallChangesSvg,
  'blogs/safer-deepavali': blogsSaferDeepavaliSvg,
  'blogs/measure-blood-pressure': blogsMeasureBloodPressureSvg,
  'blogs/diabetes-and-the-eye': blogsDiabetesAndTheEyeSvg,
  'blogs/dengue-first-days': blogsDengueFirstDaysSvg,
  'blogs/ors-and-loose-motions': blogsOrsAndLooseMotionsSvg,
  'blogs/knee-pain-after-fifty': blogsKneePainAfterFiftySvg,
  'blogs/hospital-bill-and-insurance': blogsHospitalBillAndInsuranceSvg,
  'blogs/ready-for-the-labour-room': blogsReadyForTheLabourRoomSvg,
  'blogs/getting-sleep-back': blogsGettingSleepBackSvg,
  'blogs/vaccines-birth-to-five': blogsVaccinesBirthToFiveSvg,
  'blogs/a-lump-in-the-breast': blogsALumpInTheBreastSvg,
  'events/health-camp': eventsHealthCampSvg,
  'events/vaccination-drive': eventsVaccinationDriveSvg,
  'events/heart-seminar': eventsHeartSeminarSvg,
  'events/sugar-check': eventsSugarCheckSvg,
  'events/vaccination-morning': eventsVaccinationMorningSvg,
  'events/birth-class': eventsBirthClassSvg,
  'events/knee-seminar': eventsKneeSeminarSvg,
  'events/first-aid-workshop': eventsFirstAidWorkshopSvg,
  'news/accreditation-renewed': newsAccreditationRenewedSvg,
  'news/accreditation-renewed-certificate': newsAccreditationRenewedCertificateSvg,
  'news/accreditation-renewed-team': newsAccreditationRenewedTeamSvg,
  'news/faster-x-ray-reports': newsFasterXRayReportsSvg,
  'news/faster-x-ray-reports-room': newsFasterXRayReportsRoomSvg,
  'news/school-health-programme': newsSchoolHealthProgrammeSvg,
  'news/school-health-programme-sight-test': newsSchoolHealthProgrammeSightTestSvg,
  'news/school-health-programme-class': newsSchoolHealthProgrammeClassSvg,
  'news/dengue-desk': newsDengueDeskSvg,
  'news/dengue-desk-advice-sheet': newsDengueDeskAdviceSheetSvg,
  'news/labour-room-renewed': newsLabourRoomRenewedSvg,
  'news/labour-room-renewed-room': newsLabourRoomRenewedRoomSvg,
  'news/labour-room-renewed-corridor': newsLabourRoomRenewedCorridorSvg,
  'news/blood-donation-anniversary': newsBloodDonationAnniversarySvg,
  'news/blood-donation-anniversary-hall': newsBloodDonationAnniversaryHallSvg,
  'news/second-advanced-ambulance': newsSecondAdvancedAmbulanceSvg,
  'news/second-advanced-ambulance-inside': newsSecondAdvancedAmbulanceInsideSvg,
  'news/second-advanced-ambulance-crew': newsSecondAdvancedAmbulanceCrewSvg,
};
