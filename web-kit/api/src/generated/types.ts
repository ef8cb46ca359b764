// Generated from openapi.json by generate.mjs; do not edit.

export type AcceptOfferRequestInput = Record<string, never>;

export interface Address {
  city: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  locality: string;
  postalCode: string;
  region: string;
  street: string;
}

export interface Appointment {
  /** Output only: who sees the patient. Absent: cancelled, or booked before release 0.1.0 for the department as a whole. */
  attendant?: Attendant;
  /** Output only, to the patient and to staff: the appointment as a calendar file (RFC 5545). Empty in lists. */
  calendar: string;
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Department id or label. Empty: taken from `notes`. */
  department: string;
  /** Id of a bookable doctor. Optional. */
  doctorId: string;
  /** At most 254 characters. */
  email: string;
  /** Output only. Names this version; sent back in If-Match. */
  etag: string;
  /** Input of a create only. Id of the hold of this time. */
  holdId: string;
  /** Output only. */
  id: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are fine. */
  phone: string;
  /** Output only: the doctor's name that the patient typed, from `notes`. Empty: none. */
  preferredDoctor: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** At most 2000 characters. Optional. */
  reason: string;
  /** Output only. What the patient says at the desk, for example `SH-7K3M-9QXD`. */
  reference: string;
  /** Output only, to staff: who sees the patient, `doctor:<id>` or `clinic:<id>`. Empty when cancelled. */
  resource: string;
  /** Output only, once: in the answer to a create and to what replaces it. 43 characters; whoever has it may change the appointment. */
  secret: string;
  /** Output only. */
  startsAt: string;
  /** Output only, but in UpdateAppointment by staff: 0 leaves it as it is. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  /** Output only, to staff: nobody works then any more (leave, holiday, an ended session). */
  uncovered: boolean;
}

/** A change of an appointment. */
export interface AppointmentEvent {
  /** Who made it: `patient`, `retention`, or `staff`. */
  actor: string;
  createTime: string;
  /** For example `appointment.booked`, `appointment.moved`. */
  kind: string;
  /** Reference of the appointment. */
  reference: string;
  /** From 1: which change of the appointment it was. */
  version: string;
}

export interface AppointmentInput {
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Department id or label. Empty: taken from `notes`. */
  department?: string;
  /** Id of a bookable doctor. Optional. */
  doctorId?: string;
  /** At most 254 characters. */
  email: string;
  /** Input of a create only. Id of the hold of this time. */
  holdId?: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes?: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are fine. */
  phone: string;
  /** At most 2000 characters. Optional. */
  reason?: string;
  /** Output only, but in UpdateAppointment by staff: 0 leaves it as it is. */
  status?: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
}

export interface Assessment {
  /** Whether the visitor ticked the box that says what is stored. Without it nothing is. */
  consent: boolean;
  copingStrategies: CopingStrategies;
  /** Output only: the day, and absent when nothing is kept. */
  createTime: string;
  diabetesRisk: DiabetesRisk;
  /** Output only; empty when nothing is kept. Known to the visitor alone: it removes what is kept. */
  id: string;
  /** Answered with its results and never stored. */
  indianMeasures: IndianMeasures;
  personalInfo: PersonalInfo;
  /** Output only. */
  result: AssessmentResult;
  /** Output only: whether the answers are kept. */
  stored: boolean;
  stressEvaluation: StressEvaluation;
}

export interface AssessmentInput {
  /** Whether the visitor ticked the box that says what is stored. Without it nothing is. */
  consent?: boolean;
  copingStrategies?: CopingStrategiesInput;
  diabetesRisk?: DiabetesRiskInput;
  /** Answered with its results and never stored. */
  indianMeasures?: IndianMeasuresInput;
  personalInfo?: PersonalInfoInput;
  stressEvaluation?: StressEvaluationInput;
}

export interface AssessmentResult {
  /** Kilograms per square metre, one decimal. Absent when height or weight is. */
  bmi?: number;
  /** Underweight, Normal, Overweight or Obese; empty when bmi is absent. */
  bmiCategory: string;
  /** Low Risk, Moderate Risk, High Risk or `Not enough information`. */
  diabetesRisk: string;
  /** By the cut-offs for Asian Indians (under 23 Normal, under 25 Overweight, else Obese); empty when bmi is absent. */
  indianBmiCategory: string;
  /** Low Risk (under 30), Moderate Risk (under 60), High Risk or `Not enough information`. */
  indianDiabetesRisk: string;
  /** Indian Diabetes Risk Score, 0 to 100. Absent when age, gender or one of the extra questions is not answered. */
  indianDiabetesScore?: number;
  /** Low, Moderate, High or `Not enough information`. */
  overallLevel: string;
  /** What anybody can do, whatever the results. */
  recommendations: string[];
  /** Low Stress, Moderate Stress, High Stress or `Not enough information`. */
  stressLevel: string;
}

/** A doctor or a clinic that sees patients. */
export interface Attendant {
  /** Only in ListDepartments; false elsewhere. Booked only by patients who choose this doctor, never for the department as a whole. */
  byNameOnly: boolean;
  /** Empty: a clinic. */
  doctorId: string;
  /** Consultation fee in rupees. 0: not known. */
  feeRupees: number;
  /** For example `Dr. Nandini Iyengar` or `Paediatric clinic, visiting consultant`. */
  name: string;
  /** For example `Outpatient block, first floor`. Empty: not known. */
  place: string;
  /** `doctor:<id>` or `clinic:<session id>`. */
  resource: string;
  /** Only in ListDepartments; empty elsewhere. */
  sittings: Sitting[];
}

export interface AvailabilityDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in English words. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  slots: AvailabilitySlot[];
}

export interface AvailabilitySlot {
  /** True when a booking would be accepted now. */
  available: boolean;
  /** The attendant that a booking made now would get, one of `attendants`. Absent: not available. */
  resource?: string;
  /** True when somebody sees patients then: what is staffed and not available is taken, or too near. */
  staffed: boolean;
  startsAt: string;
  /** Label of the specification, for example `9:00 AM`. */
  time: string;
}

export interface BandCount {
  assessments: number;
  /** For example `Moderate Risk`. `Others`: bands that are too small alone, together. */
  band: string;
}

export interface Blog {
  /** At most 120 characters. Empty: the hospital. */
  author: string;
  /** At most 60 characters. Empty: Health Tips. */
  category: string;
  /** At most 50000 characters. Plain text, or HTML of which only an allowlist is kept when it is read. */
  content: string;
  /**
   * Output only, GetBlog: `content` made safe to put into a page: paragraphs of plain text, or what the allowlist leaves of HTML.
   * Empty when there are sections.
   */
  contentHtml: string;
  /** Output only. */
  createdAt: string;
  /** Output only. Names this version; sent back in If-Match. */
  etag: string;
  /** At most 500 characters. */
  excerpt: string;
  /** An editor's choice for the list of popular posts. The tag `featured` of older writers sets it, too; answers never have that tag. */
  featured: boolean;
  /** Output only. */
  id: string;
  /** Path on this site or https address. */
  image: string;
  /** Output only, GetBlog: up to 4; featured posts first, then the newest. */
  popular: BlogLink[];
  /** Not in the future. Empty: now when it is created, unchanged when it is updated. */
  publishedAt: string;
  /** Empty: 5 min read. */
  readTime: string;
  /** Output only, GetBlog: up to 4 posts that share the category or words of title, tags and excerpt. */
  related: BlogLink[];
  /** At most 30. */
  sections: BlogSection[];
  /** Output only; empty for a post whose title a newer one has. */
  slug: string;
  /** At most 500 characters. */
  summary: string;
  /** At most 20 of at most 40 characters. */
  tags: string[];
  /** 1 to 200 characters. */
  title: string;
  /** Output only. */
  updatedAt: string;
}

export interface BlogInput {
  /** At most 120 characters. Empty: the hospital. */
  author?: string;
  /** At most 60 characters. Empty: Health Tips. */
  category?: string;
  /** At most 50000 characters. Plain text, or HTML of which only an allowlist is kept when it is read. */
  content?: string;
  /** At most 500 characters. */
  excerpt?: string;
  /** An editor's choice for the list of popular posts. The tag `featured` of older writers sets it, too; answers never have that tag. */
  featured?: boolean;
  /** Path on this site or https address. */
  image?: string;
  /** Not in the future. Empty: now when it is created, unchanged when it is updated. */
  publishedAt?: string;
  /** Empty: 5 min read. */
  readTime?: string;
  /** At most 30. */
  sections?: BlogSectionInput[];
  /** At most 500 characters. */
  summary?: string;
  /** At most 20 of at most 40 characters. */
  tags?: string[];
  /** 1 to 200 characters. */
  title: string;
}

export interface BlogLink {
  id: string;
  image: string;
  publishedAt: string;
  slug: string;
  title: string;
}

export interface BlogSection {
  /** `imageRight` or empty. */
  alignment: string;
  /** At most 200 characters. */
  heading: string;
  /** Path on this site or https address. */
  image: string;
  /** At most 10000 characters. */
  text: string;
}

export interface BlogSectionInput {
  /** `imageRight` or empty. */
  alignment?: string;
  /** At most 200 characters. */
  heading?: string;
  /** Path on this site or https address. */
  image?: string;
  /** At most 10000 characters. */
  text?: string;
}

export interface Burst {
  bookings: number;
  firstTime: string;
  lastTime: string;
  /** Names the network without saying it: a keyed hash, 16 hex digits. */
  network: string;
  /** How many of them are still open. */
  open: number;
}

export type CancelAppointmentRequestInput = Record<string, never>;

export interface CancelBurstRequestInput {
  dryRun?: boolean;
  /** Required. When it was booked: from then, and up to but without then. */
  fromTime: string;
  /** References that stay: those of real people. */
  keep?: string[];
  /** Required. As in Burst. */
  network: string;
  /** Tell those whose appointments go. */
  notify?: boolean;
  untilTime: string;
}

export interface CancelBurstResponse {
  /** There is more: call again. */
  more: boolean;
  /** What was (or would be) cancelled. */
  references: string[];
}

export interface ConfirmSubscriptionRequestInput {
  /** Of the link, at most 128 characters. */
  token: string;
}

export type ConfirmSubscriptionResponse = Record<string, never>;

export interface Consultation {
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date: string;
  /** At most 2000 characters. Optional. */
  description: string;
  /** Output only. */
  etag: string;
  /** Output only. */
  id: string;
  /** By staff: https address of the video room, at most 500 characters. */
  link: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName: string;
  phone: string;
  /** Output only, for example `VC-7K3M-9QXD`. */
  reference: string;
  /** By staff. 0 in an update: as it is. */
  status: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** By staff: label of a time on the half hour, for example `4:30 PM`. Empty until it is allotted. */
  time: string;
}

export interface ConsultationInput {
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date?: string;
  /** At most 2000 characters. Optional. */
  description?: string;
  /** By staff: https address of the video room, at most 500 characters. */
  link?: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail?: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName?: string;
  phone?: string;
  /** By staff. 0 in an update: as it is. */
  status?: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** By staff: label of a time on the half hour, for example `4:30 PM`. Empty until it is allotted. */
  time?: string;
}

export interface CopingStrategies {
  /** Labels of the eight strategies of the form. */
  strategies: string[];
}

export interface CopingStrategiesInput {
  /** Labels of the eight strategies of the form. */
  strategies?: string[];
}

export interface CreateHolidayResponse {
  /** As in UpdateSessionResponse. */
  affected: Appointment[];
  affectedTotal: number;
  holiday: Holiday;
}

export interface CreateLeaveResponse {
  /** As in UpdateSessionResponse. */
  affected: Appointment[];
  affectedTotal: number;
  leave: Leave;
}

export interface CreateSessionResponse {
  session: Session;
}

export interface DeleteSessionResponse {
  /** As in UpdateSessionResponse. */
  affected: Appointment[];
  affectedTotal: number;
}

export interface Delivery {
  /** Tries that a server did not take. */
  attempts: number;
  /** email or sms. */
  channel: string;
  createTime: string;
  /** After this it is of no use and not sent. */
  expireTime: string;
  id: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** What the last one was answered, without personal data. */
  lastError: string;
  /** Not tried before then. Absent: it is not postponed. */
  postponedUntil?: string;
  /** Why it failed, for example `no_recipient`, `suppressed`, `bounced`. Empty otherwise. */
  reason: string;
  /** E-mail address or phone number. */
  recipient: string;
  /** Name of the recipient. Empty: not known. */
  recipientName: string;
  /** waiting, postponed (too many to this recipient), failed or expired. */
  state: string;
  /** UUID of what it is about, such as an appointment. Empty: nothing. */
  subjectId: string;
}

export interface Department {
  /** Doctors and clinics with a sitting in the next 60 days, clinics first. */
  attendants: Attendant[];
  /** False where a call is right and a booking is not (Emergency). */
  bookable: boolean;
  /** Ids of the doctors that can be booked in this department. Profiles are another team's. */
  doctorIds: string[];
  /** Stable key, for example `general-medicine`. */
  id: string;
  /** Label in the form, for example `General Medicine`. */
  name: string;
}

export interface DepartmentFreeTimes {
  /** One entry a day of the span. */
  days: FreeDay[];
  /** Department id. */
  department: string;
  /** The attendants that `free_resources` refers to; ListDepartments has their names, fees and places. */
  resources: string[];
}

export interface DepartmentProfile {
  id: string;
  name: string;
  /** One sentence: when to choose this department. */
  summary: string;
  treats: string[];
}

export interface DiabetesRisk {
  /** high, moderate or low. */
  activityLevel: string;
  /** normal or high. */
  bloodPressure: string;
  /** yes or no. */
  familyHistory: string;
  /** normal or high. Never asked, so mostly empty. */
  waistCircumference: string;
}

export interface DiabetesRiskInput {
  /** high, moderate or low. */
  activityLevel?: string;
  /** normal or high. */
  bloodPressure?: string;
  /** yes or no. */
  familyHistory?: string;
  /** normal or high. Never asked, so mostly empty. */
  waistCircumference?: string;
}

export interface Doctor {
  /** Only with GetDoctor. */
  about: string;
  achievements: string[];
  /** Sees known patients only: pages offer no booking. */
  closedToNewPatients: boolean;
  /** Text with the rupee sign, for example `₹700`. */
  consultationFee: string;
  degrees: string;
  /** The rest only with GetDoctor. */
  education: string[];
  /** Text, for example `7 Years`. */
  experience: string;
  focusKeyword: string;
  id: string;
  image: string;
  /** Two letters for the tile that stands in for a missing image. */
  initials: string;
  metaDescription: string;
  name: string;
  /** Number in the register of a medical council, with the council's letters, for example `KMC 000101`. */
  registrationNumber: string;
  seoTitle: string;
  slug: string;
  specializations: string[];
  /** Label as written in the profile, for example `Orthopaedics`. */
  specialty: string;
  /** Key that labels with the same meaning share, for example `orthopedics`. */
  specialtyKey: string;
  timings: string;
  visitingDays: string;
}

export interface EmailAddress {
  address: string;
  label: string;
  /** general, appointments or info. */
  purpose: string;
}

export interface ErasePatientRequestInput {
  /** One of both at least. */
  email?: string;
  phone?: string;
}

export interface ErasePatientResponse {
  appointments: number;
  consultations: number;
  waitlistEntries: number;
}

export interface EraseSenderRequestInput {
  /** One of both at least. */
  email?: string;
  phone?: string;
}

export interface EraseSenderResponse {
  mails: number;
  messages: number;
  subscriptions: number;
}

export interface Event {
  /** YYYY-MM-DD. */
  date: string;
  description: string;
  id: string;
  image: string;
  location: string;
  /** Registration is closed. */
  past: boolean;
  performer: string;
  /** Rupees; 0: free. */
  price: number;
  time: string;
  title: string;
  /** Health Camp, Vaccination, Seminar or another. */
  type: string;
}

export interface ExportPatientRequestInput {
  /** One of both at least. */
  email?: string;
  phone?: string;
}

export interface ExportPatientResponse {
  /** At most 1000 of each. */
  appointments: Appointment[];
  consultations: Consultation[];
  /** What became of the appointments, the oldest first; at most 10000. */
  events: AppointmentEvent[];
  waitlistEntries: WaitlistEntry[];
}

export interface ExportSenderRequestInput {
  /** One of both at least. */
  email?: string;
  phone?: string;
}

export interface ExportSenderResponse {
  /** Mails to the address of the last 30 days, by kind and time; at most 1000. */
  mails: SentMail[];
  /** At most 1000. */
  messages: InboxMessage[];
  /** pending, confirmed or unsubscribed. Empty: the address never asked for the newsletter. */
  newsletter: string;
}

export interface ExternalLink {
  label: string;
  url: string;
}

/** What tells people from robots. Everything is optional; it is never stored and no part of what makes two requests the same. */
export interface FormCheck {
  /** The sender can compute a proof (a script is running), so that it may be asked for one. */
  canProve: boolean;
  /** Answer to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof: string;
  /** Of GetFormToken. At most 200 characters. */
  token: string;
  /** A field that people do not see. Anything in it is suspicious. */
  website: string;
}

/** What tells people from robots. Everything is optional; it is never stored and no part of what makes two requests the same. */
export interface FormCheckInput {
  /** The sender can compute a proof (a script is running), so that it may be asked for one. */
  canProve?: boolean;
  /** Answer to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof?: string;
  /** Of GetFormToken. At most 200 characters. */
  token?: string;
  /** A field that people do not see. Anything in it is suspicious. */
  website?: string;
}

export interface FreeDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in English words. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Labels of the free times, for example `9:00 AM`. */
  free: string[];
  /** For each of `free`, the attendant that a booking made now would get: its index in `resources`, from 0. */
  freeResources: number[];
  /** Labels of the times at which somebody sees patients and that are taken, or too near. */
  full: string[];
}

export interface GetAssessmentSummaryResponse {
  /** Absent when fewer than `group_size_min` people assessed themselves. */
  assessments?: number;
  /** Fewest people that any number here stands for: 10. */
  groupSizeMin: number;
  month: string;
  results: ResultCounts[];
}

export interface GetFormTokenResponse {
  /** At most 200 visible ASCII characters; valid for a day. */
  token: string;
}

export interface Hold {
  /** Output only: who would see the patient. Absent: the service is of release 0.1.0. */
  attendant?: Attendant;
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  /** Output only. */
  expireTime: string;
  /** Output only. Given with the create that takes it; whoever has it may end it. */
  id: string;
  /** Input: the hold that this one replaces, if any. */
  replaces: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface HoldInput {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Input: the hold that this one replaces, if any. */
  replaces?: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface Holiday {
  /** YYYY-MM-DD. */
  date: string;
  /** Said to visitors. 1 to 80 characters. */
  name: string;
}

export interface HolidayInput {
  /** YYYY-MM-DD. */
  date: string;
  /** Said to visitors. 1 to 80 characters. */
  name: string;
}

/** A message as staff see it. */
export interface InboxMessage {
  etag: string;
  /** E-mail address that it was routed to. */
  mailbox: string;
  message: Message;
  /** Why it was suspicious, for example `links`, `too_fast`. */
  signals: string[];
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
  /** Who took it, by the subject of their token. Empty: nobody. */
  takenBy: string;
  updateTime: string;
}

/** Extra questions that a visitor may answer beside those of the hospital's own score. Never stored. */
export interface IndianMeasures {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity: string;
  /** Parents who have diabetes: none, one or both. */
  parents: string;
  /** Waist in centimetres, 30 to 250. */
  waist: number;
}

/** Extra questions that a visitor may answer beside those of the hospital's own score. Never stored. */
export interface IndianMeasuresInput {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity?: string;
  /** Parents who have diabetes: none, one or both. */
  parents?: string;
  /** Waist in centimetres, 30 to 250. */
  waist?: number;
}

export interface Leave {
  /** First and last day, YYYY-MM-DD, inclusive; at most 1000 days. Required. */
  from: string;
  /** Output only. */
  id: string;
  /** For staff. At most 200 characters. No patient's data. */
  reason: string;
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  resource: string;
  until: string;
}

export interface LeaveInput {
  /** First and last day, YYYY-MM-DD, inclusive; at most 1000 days. Required. */
  from: string;
  /** For staff. At most 200 characters. No patient's data. */
  reason?: string;
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  resource: string;
  until: string;
}

export type LeaveWaitlistRequestInput = Record<string, never>;

export type LiftSuppressionRequestInput = Record<string, never>;

export type LiftSuppressionResponse = Record<string, never>;

export interface ListAppointmentsResponse {
  appointments: Appointment[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListAvailabilityResponse {
  /** Every attendant that a slot of this answer names. */
  attendants: Attendant[];
  /** One entry a day of the span, also for closed days. */
  days: AvailabilityDay[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

export interface ListBlogsResponse {
  blogs: Blog[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListBurstsResponse {
  /** At most 100. */
  bursts: Burst[];
}

export interface ListConsultationsResponse {
  consultations: Consultation[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDeliveriesResponse {
  deliveries: Delivery[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDepartmentProfilesResponse {
  departmentProfiles: DepartmentProfile[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDepartmentsResponse {
  departments: Department[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDoctorsResponse {
  doctors: Doctor[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  /** Distinct labels of all listed doctors, for the filter. */
  specialties: string[];
}

export interface ListEventsResponse {
  events: Event[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListFreeTimesResponse {
  /** The bookable departments, in the order of the form. */
  departments: DepartmentFreeTimes[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

export interface ListHealthNewsResponse {
  headlines: string[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListHolidaysResponse {
  holidays: Holiday[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListLeavesResponse {
  leaves: Leave[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListMessagesResponse {
  messages: InboxMessage[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListNewsResponse {
  news: News[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListNextAvailableResponse {
  /** One entry for each doctor that is known, in the order asked for, or one for the department. */
  next: NextAvailable[];
}

export interface ListPromosResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  promos: Promo[];
}

export interface ListReviewsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  reviews: Review[];
}

export interface ListServicesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  services: Service[];
}

export interface ListSessionsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  sessions: Session[];
}

export interface ListSpecialtiesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  specialties: Specialty[];
}

export interface ListSuppressionsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  suppressions: Suppression[];
}

export interface ListSurgeriesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  surgeries: Surgery[];
}

export interface Message {
  /** Input only. */
  check: FormCheck;
  /** Output only. */
  createTime: string;
  /** At most 254 characters. Required for an enquiry. */
  email: string;
  /** Output only. */
  id: string;
  /** 1 to 5000 characters. */
  message: string;
  /** Present for a blog comment. */
  meta: MessageMeta;
  /** 1 to 120 characters. */
  name: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone: string;
  /** Output only, for example `MS-7K3M-9QXD`. The acknowledgement names it too. */
  reference: string;
  /** 1 to 200 characters. */
  subject: string;
}

export interface MessageInput {
  /** Input only. */
  check?: FormCheckInput;
  /** At most 254 characters. Required for an enquiry. */
  email?: string;
  /** 1 to 5000 characters. */
  message: string;
  /** Present for a blog comment. */
  meta?: MessageMetaInput;
  /** 1 to 120 characters. */
  name: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone?: string;
  /** 1 to 200 characters. */
  subject: string;
}

export interface MessageMeta {
  /** When the visitor wrote it. */
  createdAt: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId: string;
}

export interface MessageMetaInput {
  /** When the visitor wrote it. */
  createdAt?: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId?: string;
}

export interface MoveAppointmentRequestInput {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Id or label. Empty: as it is. */
  department?: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface News {
  attachments: string[];
  content: string;
  excerpt: string;
  externalLinks: ExternalLink[];
  id: string;
  image: string;
  metaDescription: string;
  metaTitle: string;
  publishedAt: string;
  slug: string;
  sourceName: string;
  sourceUrl: string;
  title: string;
}

export interface Newsletter {
  complete: boolean;
  /** Output only. */
  createTime: string;
  /** Output only. */
  id: string;
  /** Output only: mails made so far, and whether all are. */
  mails: number;
  /** 1 to 200 characters. */
  subject: string;
  /** 1 to 20000 characters. Paragraphs are separated by empty lines; addresses become links. */
  text: string;
}

export interface NewsletterInput {
  /** 1 to 200 characters. */
  subject: string;
  /** 1 to 20000 characters. Paragraphs are separated by empty lines; addresses become links. */
  text: string;
}

export interface NextAvailable {
  /** YYYY-MM-DD. Empty: nothing is free in the next 60 days. */
  date: string;
  /** Department id. */
  department: string;
  /** Empty for a department. */
  doctor: string;
  /** The attendant that a booking made now would get. Absent: nothing is free. */
  resource?: string;
  startsAt: string;
  /** Label of the slot. */
  time: string;
}

export interface NotifyUncoveredRequestInput {
  /** Ids or references, 1 to 100. */
  appointments: string[];
}

export interface NotifyUncoveredResponse {
  /** References of those who are told. */
  told: string[];
}

export interface OpenAppointmentWithCodeRequestInput {
  /** The 6 digits of the mail; spaces between them are ignored. */
  code: string;
  /** As given for the appointment. */
  phone: string;
  /** For example `SH-7K3M-9QXD`. */
  reference: string;
}

export interface OpeningHours {
  /**
   * Exclusive end, for example `20:00`; `24:00` is midnight. Earlier than `opens`: on the next day. 00:00 to 24:00 on all seven days
   * is round the clock.
   */
  closes: string;
  /** In words, for example `9:00 AM to 8:00 PM`. */
  hours: string;
  label: string;
  /** 24-hour clock in Asia/Kolkata, for example `09:00`. */
  opens: string;
  /** booking, emergency, opd, visiting, footer_weekdays or footer_weekend. */
  purpose: string;
  /** `Mon` to `Sun`: the days on which it opens. */
  weekdays: string[];
}

export interface Page {
  /** For search engines; empty for a block. */
  description: string;
  id: string;
  /** Paragraph above the sections; may be empty. */
  intro: string;
  sections: PageSection[];
  title: string;
  /** YYYY-MM-DD of the last change; empty for a block. */
  updated: string;
}

export interface PageSection {
  avoid: string[];
  /** Lines of the site that are printed below: `address`, `phone:<purpose>` or `email:<purpose>`. */
  contacts: string[];
  /** May be empty where the page has one section only. */
  heading: string;
  icon: string;
  /** Names the section within its page, for links to it. */
  id: string;
  /** List below the paragraphs. */
  items: string[];
  paragraphs: string[];
  /** First aid: how the trouble is recognised, what to do, what not to do. */
  signs: string[];
  steps: string[];
}

export interface PersonalInfo {
  /** Years, 1 to 120. */
  age: number;
  /** male or female. */
  gender: string;
  /** Centimetres, 50 to 250. */
  height: number;
  /** Kilograms, 2 to 400. */
  weight: number;
}

export interface PersonalInfoInput {
  /** Years, 1 to 120. */
  age?: number;
  /** male or female. */
  gender?: string;
  /** Centimetres, 50 to 250. */
  height?: number;
  /** Kilograms, 2 to 400. */
  weight?: number;
}

export interface PhoneNumber {
  /** As people read it, for example `+91 80 0000 0108`. */
  display: string;
  /** As a tel: link needs it, for example `+918000000108`. */
  e164: string;
  label: string;
  /** emergency, ambulance, reception or appointments. */
  purpose: string;
}

export interface Promo {
  ctaLabel: string;
  id: string;
  image: string;
  nofollow: boolean;
  openInNewTab: boolean;
  placement: string;
  title: string;
  url: string;
}

export interface Question {
  answer: string;
  question: string;
}

export interface RequestAppointmentCodeRequestInput {
  /** As given for the appointment. */
  phone: string;
  /** For example `SH-7K3M-9QXD`. */
  reference: string;
}

export type RequestAppointmentCodeResponse = Record<string, never>;

export type ResendDeliveryRequestInput = Record<string, never>;

/** Counts of one result. */
export interface ResultCounts {
  /** Empty when they cannot be said without saying a small one. */
  bands: BandCount[];
  /** bmiCategory, diabetesRisk, stressLevel or overallLevel. */
  result: string;
}

export interface Review {
  comment: string;
  image: string;
  location: string;
  name: string;
  /** 1 to 5. */
  rating: number;
}

export interface SearchResponse {
  /** What was searched for instead, when nothing had the words as they were typed. */
  corrected: string;
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  results: SearchResult[];
}

export interface SearchResult {
  /** doctor, service, specialty, surgery, event, blog, news or page. */
  kind: string;
  /** Of the page, for example `/doctor/asha-rao`. */
  path: string;
  summary: string;
  title: string;
}

export type SendAppointmentLinkRequestInput = Record<string, never>;

export type SendAppointmentLinkResponse = Record<string, never>;

export interface SentMail {
  createTime: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** waiting, sent, suppressed (too many to this address), expired or failed. */
  state: string;
}

export interface Service {
  benefits: string[];
  description: string;
  equipment: string[];
  features: string[];
  /** Label on the home page where it differs, for example `Gynaec OT`. */
  homeName: string;
  icon: string;
  id: string;
  image: string;
  /** The rest only with GetService. */
  longDescription: string[];
  name: string;
  onHome: boolean;
  slug: string;
}

/** A doctor or a clinic sees patients on these days, between these times. */
export interface Session {
  /** Patients who chose no doctor are not booked here. */
  byNameOnly: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Of the profile. Empty: a clinic without one, then `name` is required. */
  doctorId: string;
  /** Output only. */
  etag: string;
  /** Consultation fee of a clinic in rupees. 0: not known, in an update as it is. A doctor's comes from the configuration. */
  feeRupees: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** Output only. */
  id: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name: string;
  /** Where a clinic sits, at most 120 characters. Empty: not known, in an update as it is. A doctor's comes from the configuration. */
  place: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats: number;
  /** Up to but without. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: without bound. */
  validFrom: string;
  validUntil: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: string[];
}

/** A doctor or a clinic sees patients on these days, between these times. */
export interface SessionInput {
  /** Patients who chose no doctor are not booked here. */
  byNameOnly?: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Of the profile. Empty: a clinic without one, then `name` is required. */
  doctorId?: string;
  /** Consultation fee of a clinic in rupees. 0: not known, in an update as it is. A doctor's comes from the configuration. */
  feeRupees?: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name?: string;
  /** Where a clinic sits, at most 120 characters. Empty: not known, in an update as it is. A doctor's comes from the configuration. */
  place?: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats?: number;
  /** Up to but without. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: without bound. */
  validFrom?: string;
  validUntil?: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat')[];
}

export interface SetAppointmentStatusRequestInput {
  /** Required. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
}

export interface SetMessageStatusRequestInput {
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
}

export interface Site {
  accreditations: string[];
  address: Address;
  beds: number;
  emails: EmailAddress[];
  foundedYear: number;
  hours: OpeningHours[];
  /** Where the hospital is, WGS 84 degrees. */
  latitude: number;
  longitude: number;
  name: string;
  /** Public origin, for canonical addresses, without a trailing slash. */
  origin: string;
  phones: PhoneNumber[];
  /** Claims of the home page, in order. */
  statistics: Statistic[];
  tagline: string;
}

/** Weekly hours of an attendant in one department, in Asia/Kolkata. Leave and holidays are not taken off. */
export interface Sitting {
  /** For example `9:00 AM`. */
  from: string;
  /** Exclusive end, for example `1:00 PM`. */
  until: string;
  /** `Mon` to `Sat`. */
  weekdays: string[];
}

export interface Specialty {
  color: string;
  description: string;
  doctors: string[];
  faqs: Question[];
  icon: string;
  id: string;
  image: string;
  /** The rest only with GetSpecialty. */
  longDescription: string[];
  name: string;
  /** Whether its page has more than the description. */
  rich: boolean;
  services: string[];
  slug: string;
}

export interface Statistic {
  label: string;
  value: string;
}

export interface StressEvaluation {
  /** good or poor. Never asked, so mostly empty. */
  relationships: string;
  /** Hours a night, 0 to 24. */
  sleepHours: number;
  /** excellent, good or poor. */
  sleepQuality: string;
  /** low, moderate or high. */
  workStress: string;
}

export interface StressEvaluationInput {
  /** good or poor. Never asked, so mostly empty. */
  relationships?: string;
  /** Hours a night, 0 to 24. */
  sleepHours?: number;
  /** excellent, good or poor. */
  sleepQuality?: string;
  /** low, moderate or high. */
  workStress?: string;
}

export interface SubscribeRequestInput {
  check?: FormCheckInput;
  /** At most 254 characters. */
  email: string;
}

export type SubscribeResponse = Record<string, never>;

/** An address that mails come back from. */
export interface Suppression {
  createTime: string;
  email: string;
  /** Until when mails to it are suppressed. */
  expireTime: string;
  id: string;
  /** Status codes of the mail server, for example `5.1.1`. */
  reason: string;
}

export interface Surgery {
  /** The rest only with GetSurgery. */
  about: string[];
  banner: string;
  benefits: string[];
  description: string;
  /** Id of the doctor whom patients consult about it. */
  doctorId: string;
  /** For example `1-2 hours`. */
  duration: string;
  faqs: Question[];
  /** 1 to 10. */
  id: string;
  image: string;
  indications: string[];
  name: string;
  procedure: string[];
  /** For example `2-4 weeks`. */
  recovery: string;
  slug: string;
}

export interface UnsubscribeRequestInput {
  /** Of the link, at most 128 characters. */
  token?: string;
}

export type UnsubscribeResponse = Record<string, never>;

export interface UpdateSessionResponse {
  /** The first 100 by time. ListAppointments with `uncovered` has all, page by page. */
  affected: Appointment[];
  /** How many there are in all. */
  affectedTotal: number;
  session: Session;
}

export interface WaitlistEntry {
  /** Output only: who would see the patient at the time that is offered. Absent: nothing is offered. */
  attendant?: Attendant;
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  email: string;
  /** Output only. */
  id: string;
  /** Output only. */
  offerExpireTime: string;
  /** Output only: label of the time that is offered. */
  offerTime: string;
  /** As of an appointment. */
  patientName: string;
  phone: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** Output only, for example `WL-7K3M-9QXD`. */
  reference: string;
  /** Output only, in the answer to the create. */
  secret: string;
  /** Output only. */
  state: 'WAITLIST_STATE_UNSPECIFIED' | 'WAITLIST_STATE_WAITING' | 'WAITLIST_STATE_OFFERED' | 'WAITLIST_STATE_BOOKED' | 'WAITLIST_STATE_ENDED';
  /**
   * Output only, when the link of a mail was opened and does not prove the entry: WAITLIST_MAX, the address waits for this day already, or
   * for 4 days. Leaving one of them and opening the link again proves it. Empty: nothing stands against it.
   */
  unprovenReason: string;
}

export interface WaitlistEntryInput {
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId?: string;
  email: string;
  /** As of an appointment. */
  patientName: string;
  phone: string;
}
