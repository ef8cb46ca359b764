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
  /** Output only: the doctor or clinic. Absent: cancelled, or booked before release 0.1.0 for the whole department. */
  attendant?: Attendant;
  /** Output only, to the patient and to staff: the appointment as a calendar file (RFC 5545). Empty in lists. */
  calendar: string;
  /**
   * Output only, to staff and in an export: when the patient went in to the doctor; kept once completed. With status ARRIVED: the
   * patient is with the doctor. Absent: not recorded.
   */
  consultationTime?: string;
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Department id or label. Empty: taken from `notes`. */
  department: string;
  /** Output only, to staff and in an export: the desk's note, at most 300 characters. Empty: none. */
  deskNote: string;
  /** Id of a bookable doctor. Optional. */
  doctorId: string;
  /** At most 254 characters. */
  email: string;
  /** Output only. Identifies this version; send it back in If-Match. */
  etag: string;
  /** Only in a create. Id of the hold on this time. */
  holdId: string;
  /** Output only. */
  id: string;
  /**
   * Output only: language of the person, `kn` or `hi`, in which mails and texts are sent. Empty: English. A create, and each change by the
   * person, takes it from the language of the call; a change by staff keeps it.
   */
  language: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are allowed. */
  phone: string;
  /** Output only: the doctor's name that the patient typed, from `notes`. Empty: none. */
  preferredDoctor: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** At most 2000 characters. Optional. */
  reason: string;
  /** Output only. Reference to give at the desk, for example `SH-7K3M-9QXD`. */
  reference: string;
  /** Output only, to staff: the doctor or clinic, `doctor:<id>` or `clinic:<id>`. Empty if cancelled. */
  resource: string;
  /** Output only, once: in the response to a create and to each call that replaces it. 43 characters. Grants access to the appointment. */
  secret: string;
  /** Output only. */
  startsAt: string;
  /** Output only, except in UpdateAppointment by staff: 0 leaves it unchanged. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW' | 'APPOINTMENT_STATUS_IN_CONSULTATION';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  /** Output only, to staff: whether no doctor or clinic works then any more (leave, holiday, ended session). */
  uncovered: boolean;
  /**
   * Output only, in the response to SetAppointmentStatus, and to BookAppointment with `arrived`: until then its caller can undo it.
   * Absent: it cannot be undone.
   */
  undoExpireTime?: string;
}

/** A change of an appointment. */
export interface AppointmentEvent {
  /** Actor: `patient`, `retention` or `staff`. */
  actor: string;
  createTime: string;
  /** For example `appointment.booked`, `appointment.moved`. */
  kind: string;
  /** Reference of the appointment. */
  reference: string;
  /** Number of the change within the appointment, from 1. */
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
  /** Only in a create. Id of the hold on this time. */
  holdId?: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes?: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are allowed. */
  phone: string;
  /** At most 2000 characters. Optional. */
  reason?: string;
  /** Output only, except in UpdateAppointment by staff: 0 leaves it unchanged. */
  status?: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW' | 'APPOINTMENT_STATUS_IN_CONSULTATION';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
}

export interface ArchiveRecordRequestInput {
  /** Page of this site, for example `/doctors`. Empty: the list of the kind. */
  redirect?: string;
}

export interface Assessment {
  /** Whether the visitor consented to storage. Otherwise nothing is stored. */
  consent: boolean;
  copingStrategies: CopingStrategies;
  /** Output only: the day; absent if nothing was stored. */
  createTime: string;
  diabetesRisk: DiabetesRisk;
  /** Output only; empty if nothing was stored. Known only to the visitor, who can remove the answers with it. */
  id: string;
  /** Scored but never stored. */
  indianMeasures: IndianMeasures;
  personalInfo: PersonalInfo;
  /** Output only. */
  result: AssessmentResult;
  /** Output only: whether the answers were stored. */
  stored: boolean;
  stressEvaluation: StressEvaluation;
}

export interface AssessmentInput {
  /** Whether the visitor consented to storage. Otherwise nothing is stored. */
  consent?: boolean;
  copingStrategies?: CopingStrategiesInput;
  diabetesRisk?: DiabetesRiskInput;
  /** Scored but never stored. */
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
  /** General advice, independent of the results. */
  recommendations: string[];
  /** Low Stress, Moderate Stress, High Stress or `Not enough information`. */
  stressLevel: string;
}

/** A doctor or a clinic that sees patients. */
export interface Attendant {
  /** Only in ListDepartments; false elsewhere. Whether only patients who choose this doctor are booked. */
  byNameOnly: boolean;
  /** Empty: a clinic. */
  doctorId: string;
  /** Consultation fee in rupees. 0: unknown. */
  feeRupees: number;
  /** For example `Dr. Asha Rao` or `Paediatric clinic, visiting consultant`. */
  name: string;
  /** For example `Outpatient block, first floor`. Empty: unknown. */
  place: string;
  /** `doctor:<id>` or `clinic:<session id>`. */
  resource: string;
  /** Only in ListDepartments; empty elsewhere. */
  sittings: Sitting[];
}

export interface AuditEntry {
  /** For example `appointment.read`. */
  action: string;
  /** Subject of the staff token, or the name of a job. */
  actor: string;
  createTime: string;
  /** Further facts, at most 512 bytes. */
  detail: string;
  /** Ids of what was read or changed, at most 200. */
  ids: string[];
  /** Number in the service's log, from 1. */
  number: string;
}

export interface AvailabilityDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in plain English. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  slots: AvailabilitySlot[];
}

export interface AvailabilitySlot {
  /** Whether a booking would be accepted now. */
  available: boolean;
  /** The attendant that a booking now would get, one of `attendants`. Absent: not available. */
  resource?: string;
  /** Whether a doctor or clinic works then. Staffed but not available: taken, or too soon. */
  staffed: boolean;
  startsAt: string;
  /** Label of the specification, for example `9:00 AM`. */
  time: string;
}

export interface BandCount {
  assessments: number;
  /** For example `Moderate Risk`. `Others`: small bands, merged. */
  band: string;
}

export interface Blog {
  /** At most 120 characters. Empty: the hospital. */
  author: string;
  /** At most 60 characters. Empty: Health Tips. */
  category: string;
  /** At most 50000 characters. Plain text or HTML; reads return only allowed HTML. */
  content: string;
  /** Output only, GetBlog: `content` as safe HTML: paragraphs of plain text, or the allowed part of HTML. Empty if there are sections. */
  contentHtml: string;
  /** Output only. */
  createdAt: string;
  /** Output only. Identifies this version; send it back in If-Match. */
  etag: string;
  /** At most 500 characters. */
  excerpt: string;
  /** Selected by editors for the popular posts. The tag `featured` of older clients sets it too; responses never contain that tag. */
  featured: boolean;
  /** Output only. */
  id: string;
  /** Path on this site or https address. */
  image: string;
  /** Output only. Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** Output only, GetBlog: up to 4; featured posts first, then the newest. */
  popular: BlogLink[];
  /** Not in the future. Empty: now on create, unchanged on update. */
  publishedAt: string;
  /** Empty: 5 min read. */
  readTime: string;
  /** Output only, GetBlog: up to 4 posts with the same category or with common words in title, tags and excerpt. */
  related: BlogLink[];
  /** At most 30. */
  sections: BlogSection[];
  /** Output only; empty if a newer post has the same title. */
  slug: string;
  /** At most 500 characters. */
  summary: string;
  /** At most 20, of at most 40 characters each. */
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
  /** At most 50000 characters. Plain text or HTML; reads return only allowed HTML. */
  content?: string;
  /** At most 500 characters. */
  excerpt?: string;
  /** Selected by editors for the popular posts. The tag `featured` of older clients sets it too; responses never contain that tag. */
  featured?: boolean;
  /** Path on this site or https address. */
  image?: string;
  /** Not in the future. Empty: now on create, unchanged on update. */
  publishedAt?: string;
  /** Empty: 5 min read. */
  readTime?: string;
  /** At most 30. */
  sections?: BlogSectionInput[];
  /** At most 500 characters. */
  summary?: string;
  /** At most 20, of at most 40 characters each. */
  tags?: string[];
  /** 1 to 200 characters. */
  title: string;
}

export interface BlogLink {
  id: string;
  image: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
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
  /** Output only. Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
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
  /** Keyed hash of the network, 16 hex digits. */
  network: string;
  /** Number of them that are still open. */
  open: number;
}

export type CancelAppointmentRequestInput = Record<string, never>;

export interface CancelBurstRequestInput {
  dryRun?: boolean;
  /** Required. Period of the bookings' creation; the end is exclusive. */
  fromTime: string;
  /** References to keep: those of real people. */
  keep?: string[];
  /** Required. From Burst. */
  network: string;
  /** Whether to notify the affected patients. */
  notify?: boolean;
  untilTime: string;
}

export interface CancelBurstResponse {
  /** Whether more remain; call again. */
  more: boolean;
  /** The appointments that were, or would be, cancelled. */
  references: string[];
}

export interface CancelRegistrationRequestInput {
  /** From the link, at most 128 characters. */
  token?: string;
}

export type CancelRegistrationResponse = Record<string, never>;

export interface ConfirmSubscriptionRequestInput {
  /** From the link, at most 128 characters. */
  token: string;
}

export type ConfirmSubscriptionResponse = Record<string, never>;

export interface Consultation {
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date: string;
  /**
   * In a create: id or label of a department with consultations by video, which must sit on `date`; optional. In responses: the id.
   * Empty: no department was chosen. Not changed by an update.
   */
  department: string;
  /** At most 2000 characters. Optional. */
  description: string;
  /** Set by staff: one of `doctors`. Empty in an update: unchanged. */
  doctorId: string;
  /** Output only. Empty: no doctor was allotted. */
  doctorName: string;
  /**
   * Set by staff with a doctor: registration number with a medical council, at most 40 characters. Empty in an update: unchanged, or the
   * last number given for a newly chosen doctor. A doctor without any number is refused.
   */
  doctorRegistration: string;
  /**
   * Output only, in GetConsultation and UpdateConsultation: doctors who can be allotted, ordered by name. Those of the department, or all
   * if it has none or none was chosen.
   */
  doctors: ConsultationDoctor[];
  /** Output only. */
  etag: string;
  /** Output only. */
  id: string;
  /** Output only: language of the person, `kn` or `hi`, in which mails and texts are sent. Empty: English. Taken from the create. */
  language: string;
  /** Set by staff: https address of the video room, at most 500 characters. */
  link: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName: string;
  phone: string;
  /** Output only, for example `VC-7K3M-9QXD`. */
  reference: string;
  /** Set by staff. 0 in an update: unchanged. */
  status: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** Set by staff: label of a time on the half hour, for example `4:30 PM`. Empty until allotted. */
  time: string;
}

export interface ConsultationDoctor {
  doctorId: string;
  name: string;
  /** Last registration number given for this doctor. Empty: none yet. */
  registration: string;
}

export interface ConsultationInput {
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date?: string;
  /**
   * In a create: id or label of a department with consultations by video, which must sit on `date`; optional. In responses: the id.
   * Empty: no department was chosen. Not changed by an update.
   */
  department?: string;
  /** At most 2000 characters. Optional. */
  description?: string;
  /** Set by staff: one of `doctors`. Empty in an update: unchanged. */
  doctorId?: string;
  /**
   * Set by staff with a doctor: registration number with a medical council, at most 40 characters. Empty in an update: unchanged, or the
   * last number given for a newly chosen doctor. A doctor without any number is refused.
   */
  doctorRegistration?: string;
  /** Set by staff: https address of the video room, at most 500 characters. */
  link?: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail?: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName?: string;
  phone?: string;
  /** Set by staff. 0 in an update: unchanged. */
  status?: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** Set by staff: label of a time on the half hour, for example `4:30 PM`. Empty until allotted. */
  time?: string;
}

export interface ContentRecord {
  /** Who wrote the latest version, and when. Empty: it came with the content files. */
  authorName: string;
  /** Body of the latest version. Not in lists. At most 65,536 bytes as JSON. */
  body: Record<string, unknown>;
  /** Who edits the record at the moment. Empty: nobody. */
  editorName: string;
  etag: string;
  /**
   * One of doctor, department, service, specialty, surgery, event, news, promo, headline, review, page, first-aid, about, why-choose,
   * facility, badge, site, search, insurance, post.
   */
  kind: string;
  /** Number of the version that visitors read. 0: none. */
  liveVersion: number;
  /** Page of the record, for example `/doctor/asha-rao`. Empty: it has none of its own. */
  path: string;
  /** What prevents the latest version from being published. Only with GetRecord, CreateRecord and UpdateRecord. */
  problems: RecordProblem[];
  publishTime: string;
  /** Version that is to be published at `publish_time`. 0: none. */
  publishVersion: number;
  /** Of the kinds `site`, `search` and `insurance` there is one record each, with the kind's name as its id. */
  recordId: string;
  /** Where the page of an archived record redirects to. */
  redirect: string;
  /** Why the last publication by time failed. Empty: it did not. */
  scheduleProblem: string;
  /** `draft` if never published, `live`, or `archived`. */
  state: string;
  /** Name or title of the latest version. */
  title: string;
  /** When the record is to be archived. */
  unpublishTime: string;
  updateTime: string;
  /** Number of the latest version, from 1. */
  version: number;
}

export interface ContentRecordInput {
  /** Body of the latest version. Not in lists. At most 65,536 bytes as JSON. */
  body: Record<string, unknown>;
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

export interface DeclineLeaveRequestRequestInput {
  /** For the doctor. 1 to 300 characters. Stored sealed. */
  answer: string;
}

export interface DeleteSessionResponse {
  /** As in UpdateSessionResponse. */
  affected: Appointment[];
  affectedTotal: number;
}

export interface Delivery {
  /** Number of failed attempts. */
  attempts: number;
  /** email or sms. */
  channel: string;
  createTime: string;
  /** Not sent after this time. */
  expireTime: string;
  id: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** Error of the last attempt, without personal data. */
  lastError: string;
  /** Not retried before this time. Absent: not postponed. */
  postponedUntil?: string;
  /** Why it failed, for example `no_recipient`, `suppressed`, `bounced`. Empty otherwise. */
  reason: string;
  /** E-mail address or phone number. */
  recipient: string;
  /** Name of the recipient. Empty: unknown. */
  recipientName: string;
  /** waiting, postponed (limit per recipient), failed or expired. */
  state: string;
  /** UUID of the subject, such as an appointment. Empty: none. */
  subjectId: string;
}

export interface Department {
  /** Doctors and clinics with sessions in the next 60 days, clinics first. */
  attendants: Attendant[];
  /** False if visitors must call instead (Emergency). */
  bookable: boolean;
  /** Ids of the bookable doctors of this department. Another team owns the profiles. */
  doctorIds: string[];
  /** Stable key, for example `general-medicine`. */
  id: string;
  /** Label in the form, for example `General Medicine`. */
  name: string;
  /** Absent: no consultations by video. */
  video?: VideoClinic;
}

export interface DepartmentFreeTimes {
  /** One entry per day. */
  days: FreeDay[];
  /** Department id. */
  department: string;
  /** The attendants that `free_resources` refers to; ListDepartments has their names, fees and places. */
  resources: string[];
}

export interface DepartmentProfile {
  id: string;
  name: string;
  /** What patients of this department would say, for example `My knee hurts`. */
  problems: string[];
  /** When to choose this department, in one sentence. */
  summary: string;
  treats: string[];
}

/** A booking by the desk. */
export interface DeskBookingInput {
  /** Whether the patient is here: the appointment is created as arrived. Only for a visit of today. */
  arrived?: boolean;
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date: string;
  /** Department id or label. */
  department: string;
  /** Id of a bookable doctor. Empty: the first free doctor or clinic of the department. */
  doctorId?: string;
  /** At most 254 characters. Empty: no mail is sent, and `phone` is required. */
  email?: string;
  /** Language of the person, `kn` or `hi`, in which mails and texts are sent. Anything else: English. */
  language?: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits, as in Appointment. Empty: `email` is required. */
  phone?: string;
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
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
  /** Sees existing patients only; pages offer no booking. */
  closedToNewPatients: boolean;
  /** Text with the rupee sign, for example `₹700`. */
  consultationFee: string;
  degrees: string;
  /** The fields below only with GetDoctor. */
  education: string[];
  /** Text, for example `7 Years`. */
  experience: string;
  focusKeyword: string;
  id: string;
  image: string;
  /** Two letters shown in place of a missing image. */
  initials: string;
  /** Languages that the doctor speaks with patients, for example `Kannada`. */
  languages: string[];
  metaDescription: string;
  name: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** Registration number with the medical council's letters, for example `KMC 000101`. */
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

export type EditRecordRequestInput = Record<string, never>;

export interface EditRecordResponse {
  /** Who edits it. Empty: only the caller. */
  editorName: string;
}

export interface EmailAddress {
  address: string;
  label: string;
  /** general, appointments or info. */
  purpose: string;
}

export interface ErasePatientRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

export interface ErasePatientResponse {
  appointments: number;
  consultations: number;
  waitlistEntries: number;
}

export interface EraseSenderRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

export interface EraseSenderResponse {
  mails: number;
  messages: number;
  subscriptions: number;
}

export interface Event {
  /** Why the event doesn't take place; registration is closed. Empty: it takes place. */
  cancelled: string;
  /** YYYY-MM-DD. */
  date: string;
  description: string;
  id: string;
  image: string;
  location: string;
  /** Registration is closed. */
  past: boolean;
  performer: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** People who can register. 0: no limit. */
  places: number;
  /** Rupees; 0: free. */
  price: number;
  time: string;
  title: string;
  /** Health Camp, Vaccination, Seminar or another. */
  type: string;
}

export interface EventRegistration {
  createTime: string;
  /** Empty: none was given. */
  email: string;
  /** Id of the message. */
  id: string;
  /** Language of the person, `kn` or `hi`, in which mails are sent. Empty: English. */
  language: string;
  name: string;
  /** What was done about the cancellation of the event: empty (nothing yet), `mailed` or `no_address` (call the person). */
  notice: string;
  people: number;
  phone: string;
  reference: string;
}

export interface ExportPatientRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

export interface ExportPatientResponse {
  /** At most 1000 of each. */
  appointments: Appointment[];
  consultations: Consultation[];
  /** Changes of the appointments, oldest first; at most 10000. */
  events: AppointmentEvent[];
  waitlistEntries: WaitlistEntry[];
}

export interface ExportSenderRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

export interface ExportSenderResponse {
  /** Mails to the address in the last 30 days, with kind and time; at most 1000. */
  mails: SentMail[];
  /** At most 1000. */
  messages: InboxMessage[];
  /** pending, confirmed or unsubscribed. Empty: never subscribed. */
  newsletter: string;
  /** Language of the newsletter's frame, `kn` or `hi`. Empty: English, or never subscribed. */
  newsletterLanguage: string;
}

export interface ExternalLink {
  label: string;
  url: string;
}

/** Evidence against robots. All fields are optional, never stored, and ignored when requests are compared. */
export interface FormCheck {
  /** Whether the sender can compute a proof (a script is running). */
  canProve: boolean;
  /** Response to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof: string;
  /** From GetFormToken. At most 200 characters. */
  token: string;
  /** Honeypot field, invisible to people. Any value is suspicious. */
  website: string;
}

/** Evidence against robots. All fields are optional, never stored, and ignored when requests are compared. */
export interface FormCheckInput {
  /** Whether the sender can compute a proof (a script is running). */
  canProve?: boolean;
  /** Response to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof?: string;
  /** From GetFormToken. At most 200 characters. */
  token?: string;
  /** Honeypot field, invisible to people. Any value is suspicious. */
  website?: string;
}

export interface FreeDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in plain English. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Labels of the free times, for example `9:00 AM`. */
  free: string[];
  /** For each of `free`, the attendant that a booking now would get: its index in `resources`, from 0. */
  freeResources: number[];
  /** Labels of the staffed times that are taken or too soon. */
  full: string[];
}

export interface GetAssessmentSummaryResponse {
  /** Absent if fewer than `group_size_min` people took the assessment. */
  assessments?: number;
  /** Minimum number of people behind any published count: 10. */
  groupSizeMin: number;
  month: string;
  results: ResultCounts[];
}

export interface GetEventPlacesResponse {
  /** Places not taken. 0 without a limit. */
  left: number;
  /** 0: no limit. */
  places: number;
}

export interface GetFormTokenResponse {
  /** At most 200 visible ASCII characters; valid for a day. */
  token: string;
}

export interface GetRecordPreviewResponse {
  preview: Preview;
  /** Empty: the version can't be shown, see `problems`. */
  token: string;
}

export type GrantLeaveRequestRequestInput = Record<string, never>;

export interface GrantLeaveRequestResponse {
  /** As in UpdateSessionResponse. */
  affected: Appointment[];
  affectedTotal: number;
  leaveRequest: LeaveRequest;
}

export interface Hold {
  /** Output only: the doctor or clinic. Absent: the service is of release 0.1.0. */
  attendant?: Attendant;
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  /** Output only. */
  expireTime: string;
  /** Output only. Sent with the create that uses the hold; also allows ending it. */
  id: string;
  /** Input only: the hold to replace, if any. */
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
  /** Input only: the hold to replace, if any. */
  replaces?: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface Holiday {
  /** YYYY-MM-DD. */
  date: string;
  /** Shown to visitors. 1 to 80 characters. */
  name: string;
}

export interface HolidayInput {
  /** YYYY-MM-DD. */
  date: string;
  /** Shown to visitors. 1 to 80 characters. */
  name: string;
}

/** A message as shown to staff. */
export interface InboxMessage {
  etag: string;
  /** Language of the page that the sender wrote on, `kn` or `hi`; mails to the sender are in it. Empty: English. */
  language: string;
  /** E-mail address of the mailbox it was routed to. */
  mailbox: string;
  message: Message;
  /** Signs of spam, for example `links`, `too_fast`. */
  signals: string[];
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
  /** Token subject of the assigned staff member. Empty: unassigned. */
  takenBy: string;
  /** Whether that person is the caller. */
  takenByMe: boolean;
  /** Name of that person, as their sign-in gave it. Empty: unknown. */
  takenByName: string;
  updateTime: string;
}

/** Optional questions in addition to the hospital's own score. Never stored. */
export interface IndianMeasures {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity: string;
  /** Parents with diabetes: none, one or both. */
  parents: string;
  /** Waist in centimetres, 30 to 250. */
  waist: number;
}

/** Optional questions in addition to the hospital's own score. Never stored. */
export interface IndianMeasuresInput {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity?: string;
  /** Parents with diabetes: none, one or both. */
  parents?: string;
  /** Waist in centimetres, 30 to 250. */
  waist?: number;
}

export interface Insurance {
  /** Duration of a cashless approval. */
  approval: string;
  /** Rules of most policies for this surgery. */
  cover: string;
  /** How to get a cashless approval, step by step. */
  steps: string[];
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

/** A doctor's request for leave. */
export interface LeaveRequest {
  /** Output only: why it was declined. */
  answer: string;
  /** Output only. */
  createTime: string;
  /** Output only: the token names the doctor. */
  doctorId: string;
  /** Output only. */
  etag: string;
  /** First and last day, YYYY-MM-DD in Asia/Kolkata, inclusive, from today on; at most 366 days. Required. */
  from: string;
  /** Output only. */
  id: string;
  /** Output only: the request was granted, but the roster no longer has the leave. */
  leaveDeleted: boolean;
  /** For those who decide. At most 300 characters, optional. Stored sealed, and not copied into the roster. */
  reason: string;
  /** Output only. */
  state: 'LEAVE_REQUEST_STATE_UNSPECIFIED' | 'LEAVE_REQUEST_STATE_WAITING' | 'LEAVE_REQUEST_STATE_GRANTED' | 'LEAVE_REQUEST_STATE_DECLINED' | 'LEAVE_REQUEST_STATE_WITHDRAWN';
  /** Output only: booked appointments that granting it leaves uncovered. In ListLeaveRequests only. */
  uncovers: number;
  until: string;
}

/** A doctor's request for leave. */
export interface LeaveRequestInput {
  /** First and last day, YYYY-MM-DD in Asia/Kolkata, inclusive, from today on; at most 366 days. Required. */
  from: string;
  /** For those who decide. At most 300 characters, optional. Stored sealed, and not copied into the roster. */
  reason?: string;
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

export interface ListAuditEntriesResponse {
  entries: AuditEntry[];
  /** Empty on the last page. */
  nextPageToken: string;
}

export interface ListAvailabilityResponse {
  /** Every attendant that a slot of this response refers to. */
  attendants: Attendant[];
  /** One entry per day, including closed days. */
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

export interface ListDeskAvailabilityResponse {
  /** Every attendant that a slot of this response refers to. */
  attendants: Attendant[];
  /** One entry per day, including closed days. */
  days: AvailabilityDay[];
}

export interface ListDoctorsResponse {
  doctors: Doctor[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  /** Distinct labels of all listed doctors, for the filter. */
  specialties: string[];
}

export interface ListEventRegistrationsResponse {
  event: RegistrationEvent;
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  registrations: EventRegistration[];
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

export interface ListLeaveRequestsResponse {
  leaveRequests: LeaveRequest[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListLeavesResponse {
  leaves: Leave[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListMediaResponse {
  media: Media[];
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

export interface ListNewsletterDraftsResponse {
  drafts: NewsletterDraft[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListNewslettersResponse {
  newsletters: Newsletter[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListNextAvailableResponse {
  /** One entry for each known doctor, in the order of the request, or one for the department. */
  next: NextAvailable[];
}

export interface ListOwnLeaveRequestsResponse {
  leaveRequests: LeaveRequest[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListPromosResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  promos: Promo[];
}

export interface ListPublicationsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  publications: Publication[];
}

export interface ListRecordGapsResponse {
  gaps: RecordGap[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListRecordVersionsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  versions: RecordVersion[];
}

export interface ListRecordsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  records: ContentRecord[];
}

export interface ListRegistrationEventsResponse {
  events: RegistrationEvent[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
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

export interface ListWaitlistEntriesResponse {
  entries: WaitlistEntry[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface Media {
  /** What the picture shows, for those who don't see it. Required, unless it is decorative. No line breaks. */
  alt: string;
  /** Subject of the token that uploaded it. */
  author: string;
  /** Size of the upload. */
  bytes: number;
  createTime: string;
  /** Whether the picture only decorates. Then `alt` must be empty. */
  decorative: boolean;
  etag: string;
  /** Point that stays visible when the picture is cropped, in percent from the left and the top. Not given: 50. */
  focalX: number;
  focalY: number;
  /** First 160 bits of the SHA-256 of the upright pixels, in lower-case hexadecimal. */
  hash: string;
  height: number;
  /** `processing` until all forms are stored, then `ready`; `failed` if they could not be made. A failed picture can be uploaded again. */
  state: string;
  updateTime: string;
  /** What uses the picture: versions that are live, scheduled or the latest draft, and posts. The first 20. */
  uses: MediaUse[];
  /** Size of the largest form, in pixels. */
  width: number;
  /**
   * Widths of the forms, ascending: 320, 640, 960 and 1600, as far as the picture is wider, and its own width if below 1600. There is an
   * AVIF and a WebP of each.
   */
  widths: number[];
}

export interface MediaInput {
  /** What the picture shows, for those who don't see it. Required, unless it is decorative. No line breaks. */
  alt?: string;
  /** Whether the picture only decorates. Then `alt` must be empty. */
  decorative?: boolean;
  /** Point that stays visible when the picture is cropped, in percent from the left and the top. Not given: 50. */
  focalX?: number;
  focalY?: number;
}

export interface MediaUse {
  /** Kind of the record, for example `doctor`; `post` for a post. */
  kind: string;
  /** Whether visitors see the picture there. */
  live: boolean;
  recordId: string;
  title: string;
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
  /** 7 to 15 digits. Required for an enquiry and a registration. */
  phone: string;
  /** Output only, for example `MS-7K3M-9QXD`. The acknowledgement names it too. */
  reference: string;
  /** Present for a registration; excludes `meta`. */
  registration: Registration;
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
  /** 7 to 15 digits. Required for an enquiry and a registration. */
  phone?: string;
  /** Present for a registration; excludes `meta`. */
  registration?: RegistrationInput;
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
  /** Id or label. Empty: unchanged. */
  department?: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface News {
  /** Files and pictures of this site. An uploaded picture is the address of its widest form. */
  attachments: string[];
  content: string;
  excerpt: string;
  externalLinks: ExternalLink[];
  id: string;
  image: string;
  metaDescription: string;
  metaTitle: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
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
  failed: number;
  /** Output only. The text as HTML, safe to show. Empty in lists. */
  html: string;
  /** Output only. */
  id: string;
  /** Output only: number of mails created so far, and whether that is all. */
  mails: number;
  sent: number;
  /** Output only. When sending was stopped. Absent: never. */
  stopTime?: string;
  /** 1 to 200 characters. */
  subject: string;
  /**
   * 1 to 20000 characters of Markdown (CommonMark): headings, paragraphs, lists, quotes, emphasis, and at most 100 links with https,
   * mailto or tel. At most 500 paragraphs, headings and list items, and 16 elements inside each other. No images; HTML is text.
   */
  text: string;
  /** Output only. Number of confirmed subscriptions ended after this newsletter, before the next one. */
  unsubscribes: number;
  /**
   * Output only. Mails by outcome, counted for the 30 days that mails are kept. `failed`: refused, bounced or expired. `withheld`: the
   * subscription had ended or sending was stopped.
   */
  waiting: number;
  withheld: number;
}

/** A newsletter that is not sent yet. */
export interface NewsletterDraft {
  /** Output only. Whether the caller's sign-in states an address for TestNewsletterDraft. Set by GetNewsletterDraft only. */
  canTest: boolean;
  /** Output only. */
  createTime: string;
  etag: string;
  /** Output only. The text as HTML, safe to show, and as the plain text of the mail. Empty in lists. */
  html: string;
  /** Output only. */
  id: string;
  plainText: string;
  /** As in Newsletter. */
  subject: string;
  /** Output only. Confirmed subscribers whom it would reach now. 0 in lists. */
  subscribers: number;
  text: string;
  updateTime: string;
}

/** A newsletter that is not sent yet. */
export interface NewsletterDraftInput {
  /** As in Newsletter. */
  subject: string;
  text: string;
}

export interface NewsletterInput {
  /** 1 to 200 characters. */
  subject: string;
  /**
   * 1 to 20000 characters of Markdown (CommonMark): headings, paragraphs, lists, quotes, emphasis, and at most 100 links with https,
   * mailto or tel. At most 500 paragraphs, headings and list items, and 16 elements inside each other. No images; HTML is text.
   */
  text: string;
}

export interface NextAvailable {
  /** YYYY-MM-DD. Empty: no free time in the next 60 days. */
  date: string;
  /** The next days with free times, as many as requested, beginning with `date`. */
  days: NextDay[];
  /** Department id. */
  department: string;
  /** Empty for a department. */
  doctor: string;
  /** The attendant that a booking now would get. Absent: no free time. */
  resource?: string;
  startsAt: string;
  /** Label of the slot. */
  time: string;
}

/** A day with its free times. */
export interface NextDay {
  /** YYYY-MM-DD. */
  date: string;
  /** Labels of the free times, for example `9:00 AM`. */
  times: string[];
}

export interface NotifyUncoveredRequestInput {
  /** Ids or references, 1 to 100. */
  appointments: string[];
}

export interface NotifyUncoveredResponse {
  /** References of the notified appointments. */
  told: string[];
}

export interface OfferWaitlistTimeRequestInput {
  /** Whether staff have spoken to the person, which proves an unproven entry. The proof remains if no time is free. */
  spoken?: boolean;
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
   * means always open.
   */
  closes: string;
  /** For display, for example `9:00 AM to 8:00 PM`. */
  hours: string;
  label: string;
  /** 24-hour clock in Asia/Kolkata, for example `09:00`. */
  opens: string;
  /** booking, emergency, opd, visiting, footer_weekdays or footer_weekend. */
  purpose: string;
  /** Opening days, `Mon` to `Sun`. */
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
  /** Lines of the site profile to show below: `address`, `phone:<purpose>` or `email:<purpose>`. */
  contacts: string[];
  /** May be empty if the page has only one section. */
  heading: string;
  home: string[];
  icon: string;
  /** Identifies the section within its page, for links. */
  id: string;
  /** List below the paragraphs. */
  items: string[];
  paragraphs: string[];
  /** First aid: signs to call at once, steps until help comes, and what to avoid. */
  signs: string[];
  steps: string[];
  /** First aid: when to come in within hours, and what is safe at home. */
  today: string[];
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
  /** For display, for example `+91 80 0000 0000`. */
  display: string;
  /** For tel: links, for example `+918000000000`. */
  e164: string;
  label: string;
  /** emergency, ambulance, reception or appointments. */
  purpose: string;
}

/**
 * Describes the picture of a field `image` (or `banner`) that is `/media/<hash>`. Absent for every other image, and while a picture has
 * no forms. A form is at the image's address, `-`, a width, `.` and `avif` or `webp`: `/media/<hash>-640.avif`. The address without a
 * width has no content. Forms never change.
 */
export interface Picture {
  /** What the picture shows. Empty if it only decorates. */
  alt: string;
  /** Point that stays visible when the picture is cropped, in percent from the left and the top. */
  focalX: number;
  focalY: number;
  height: number;
  /** Size of the largest form, in pixels. All forms have this aspect ratio, within a pixel. */
  width: number;
  /** Widths of the forms, ascending. Each exists as AVIF and as WebP. */
  widths: number[];
}

export interface Preview {
  expireTime: string;
  /** Whether visitors read this version by now. */
  isLive: boolean;
  kind: string;
  /** Page that lists the records of the kind. */
  listPath: string;
  /** Page of this version, for example `/doctor/asha-rao`. Empty: it has none of its own. */
  path: string;
  /** What prevents this version from being shown. */
  problems: RecordProblem[];
  recordId: string;
  /** Name or title of this version. */
  title: string;
  version: number;
}

/** In whole rupees, taxes included; `from_rupees` is less than `to_rupees`. */
export interface PriceRange {
  fromRupees: number;
  toRupees: number;
}

export interface Promo {
  ctaLabel: string;
  id: string;
  image: string;
  nofollow: boolean;
  openInNewTab: boolean;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  placement: string;
  title: string;
  url: string;
}

/** A change of what visitors read. */
export interface Publication {
  /** Empty: it came with the content files, or its time had come. */
  authorName: string;
  createTime: string;
  kind: string;
  /** `kn` or `hi` if translations of the record's texts changed. Empty: the record changed. */
  language: string;
  path: string;
  recordId: string;
  title: string;
  versionAfter: number;
  /** Live versions before and after. 0: none. */
  versionBefore: number;
}

export interface PublishRecordRequestInput {
  /** Not given: now. At most a year ahead. */
  publishTime?: string;
  /** When to archive the record, later than it is published and at most a year ahead. Not given: not by time. */
  unpublishTime?: string;
}

export interface Question {
  answer: string;
  question: string;
}

/** What a live record lacks. */
export interface RecordGap {
  /** The day or the link that is meant. Empty: the field lacks one. */
  detail: string;
  /** Path in the body, for example `image`. */
  field: string;
  kind: string;
  /** For `NOT_TRANSLATED`: `kn` or `hi`. */
  language: string;
  /**
   * One of `NO_PHOTOGRAPH` (a doctor with a drawing), `NO_PICTURE` (a promotion that is not shown without one), `NO_SUMMARY`,
   * `NO_REVIEW` (no date of review), `REVIEW_DUE` (reviewed more than 365 days ago), `SERIES_ENDED` (a monthly event after its last
   * month), `PROMOTION_PAST` (leads to a past event), `LINK_BROKEN` (leads to no page of this site) and `NOT_TRANSLATED` (visitors
   * read texts in English on pages of another language). More may follow.
   */
  reason: string;
  recordId: string;
  /** For `NOT_TRANSLATED`: the number of texts without a translation. `field` has the first of them. */
  textCount: number;
  /** Name or title of the live version. */
  title: string;
}

export interface RecordProblem {
  /** Path in the body, for example `timings` or `faqs[0].answer`. Empty: the record as a whole. */
  field: string;
  message: string;
  /** Record that the problem is in, as `kind/id`, if it is another one. For example a specialty that names a removed doctor. */
  record: string;
}

export interface RecordText {
  /** Who entered the translation of staff, and when. */
  authorName: string;
  english: string;
  /** Field of the body, for example `specialty`. */
  field: string;
  /** Translation of the content files, which applies if staff have none. Empty: the files have none. */
  fileTranslation: string;
  /** Whether the text is in the latest version only, which visitors don't read. */
  isDraft: boolean;
  /** Maximum length of a translation, in characters: four times the English text, at least 200. */
  lengthMax: number;
  /** `staff` or `file`, where the translation comes from. Empty: there is none. */
  source: string;
  /** What visitors read. Empty: they read the English text. */
  translation: string;
  updateTime: string;
}

/** The texts of a record in another language. */
export interface RecordTranslations {
  /** The last 20 changes by staff of these texts, newest first. */
  changes: TranslationChange[];
  /** Changes with the English texts and the translations of staff. */
  etag: string;
  kind: string;
  language: string;
  /** Page of the record, without the prefix of the language. Empty: it has none of its own. */
  path: string;
  recordId: string;
  /** `draft`, `live` or `archived`. */
  state: string;
  /** Each English text once, in the order of the record. */
  texts: RecordText[];
  /** Name or title of the latest version, in English. */
  title: string;
}

export interface RecordVersion {
  authorName: string;
  body: Record<string, unknown>;
  createTime: string;
  version: number;
}

export interface RecoveryStep {
  text: string;
  /** For example `Day 1` or `Weeks 2-4`. */
  time: string;
  title: string;
}

/** What only a registration for an event has. */
export interface Registration {
  /** Id of the event, at most 64 characters. Another team owns the events. */
  eventId: string;
  /** How many people come, the sender included: 1 to 10. */
  people: number;
}

/** An event as staff see it who keep its list of people. */
export interface RegistrationEvent {
  /** Why it does not take place. Empty: it does. */
  cancelled: string;
  endsAt: string;
  id: string;
  location: string;
  /** 0: no limit. */
  places: number;
  startsAt: string;
  /** People registered. */
  taken: number;
  title: string;
}

/** What only a registration for an event has. */
export interface RegistrationInput {
  /** Id of the event, at most 64 characters. Another team owns the events. */
  eventId: string;
  /** How many people come, the sender included: 1 to 10. */
  people: number;
}

export interface RemoveWaitlistEntryRequestInput {
  /** Required: ASKED, OTHER_APPOINTMENT, UNREACHABLE or NO_TIMES. */
  reason: 'WAITLIST_END_REASON_UNSPECIFIED' | 'WAITLIST_END_REASON_LEFT' | 'WAITLIST_END_REASON_DAY_PAST' | 'WAITLIST_END_REASON_OFFERS_EXPIRED' | 'WAITLIST_END_REASON_ASKED' | 'WAITLIST_END_REASON_OTHER_APPOINTMENT' | 'WAITLIST_END_REASON_UNREACHABLE' | 'WAITLIST_END_REASON_NO_TIMES';
}

export interface RenderTextRequestInput {
  /** Markdown, or HTML if it has tags. As `content` of a post. */
  text?: string;
}

export interface RenderTextResponse {
  /** Sanitised HTML. */
  html: string;
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
  /** Empty if they would reveal a small count. */
  bands: BandCount[];
  /** bmiCategory, diabetesRisk, stressLevel or overallLevel. */
  result: string;
}

export interface RevertRecordRequestInput {
  publish?: boolean;
  version: number;
}

export interface Review {
  comment: string;
  image: string;
  location: string;
  name: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** 1 to 5. */
  rating: number;
}

export interface SearchResponse {
  /** Corrected query, if the typed words had no matches. */
  corrected: string;
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  results: SearchResult[];
}

export interface SearchResult {
  /** task, first_aid, doctor, service, specialty, surgery, event, blog, news or page. */
  kind: string;
  /** Path of the page, for example `/doctor/asha-rao`; may end with an anchor. */
  path: string;
  summary: string;
  title: string;
}

export type SendAppointmentLinkRequestInput = Record<string, never>;

export type SendAppointmentLinkResponse = Record<string, never>;

export type SendNewsletterDraftRequestInput = Record<string, never>;

export interface SentMail {
  createTime: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** `kn` or `hi`. Empty: English. */
  language: string;
  /** waiting, sent, suppressed (limit per address), expired or failed. */
  state: string;
}

export interface Service {
  benefits: string[];
  description: string;
  equipment: string[];
  features: string[];
  /** Label on the home page if different, for example `Gynaec OT`. */
  homeName: string;
  /** When it is open, for example `Day and night, every day`. */
  hours: string;
  icon: string;
  id: string;
  image: string;
  /** The fields below only with GetService. */
  longDescription: string[];
  name: string;
  onHome: boolean;
  /** `purpose` of the site's telephone number that answers questions about the service, for example `reception`. */
  phonePurpose: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** Where in the building, for example `Main block, first floor`. */
  place: string;
  slug: string;
}

/** A doctor or a clinic sees patients on these days, between these times. */
export interface Session {
  /** Whether only patients who choose this doctor are booked here. */
  byNameOnly: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: a clinic; `name` is then required. */
  doctorId: string;
  /** Output only. */
  etag: string;
  /**
   * Consultation fee of a clinic in rupees. 0: unknown; in an update: unchanged. The configuration has the
   * fees of its doctors.
   */
  feeRupees: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** Output only. */
  id: string;
  /**
   * For example `Paediatric clinic, visiting consultant`. At most 120 characters. The first session of a doctor whom the configuration
   * doesn't have needs the doctor's name, fee and place: patients see them.
   */
  name: string;
  /**
   * Place of a clinic, at most 120 characters. Empty: unknown; in an update: unchanged. The configuration has the
   * places of its doctors.
   */
  place: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats: number;
  /** Exclusive end. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: unlimited. */
  validFrom: string;
  validUntil: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: string[];
}

/** A doctor or a clinic sees patients on these days, between these times. */
export interface SessionInput {
  /** Whether only patients who choose this doctor are booked here. */
  byNameOnly?: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: a clinic; `name` is then required. */
  doctorId?: string;
  /**
   * Consultation fee of a clinic in rupees. 0: unknown; in an update: unchanged. The configuration has the
   * fees of its doctors.
   */
  feeRupees?: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /**
   * For example `Paediatric clinic, visiting consultant`. At most 120 characters. The first session of a doctor whom the configuration
   * doesn't have needs the doctor's name, fee and place: patients see them.
   */
  name?: string;
  /**
   * Place of a clinic, at most 120 characters. Empty: unknown; in an update: unchanged. The configuration has the
   * places of its doctors.
   */
  place?: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats?: number;
  /** Exclusive end. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: unlimited. */
  validFrom?: string;
  validUntil?: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat')[];
}

export interface SetAppointmentNoteRequestInput {
  /** At most 300 characters. Empty: removes the note. */
  note?: string;
}

export interface SetAppointmentStatusRequestInput {
  /** Required. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW' | 'APPOINTMENT_STATUS_IN_CONSULTATION';
}

export interface SetMessageStatusRequestInput {
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
  /** Ignored: the name is that of the sign-in. Deprecated. */
  takenByName?: string;
}

export interface Site {
  accreditations: string[];
  address: Address;
  beds: number;
  emails: EmailAddress[];
  foundedYear: number;
  hours: OpeningHours[];
  /** Location, WGS 84 degrees. */
  latitude: number;
  longitude: number;
  name: string;
  /** Public origin for canonical URLs, without a trailing slash. */
  origin: string;
  phones: PhoneNumber[];
  /** Claims of the home page, in order. */
  statistics: Statistic[];
  tagline: string;
}

/** Weekly hours of an attendant in one department, in Asia/Kolkata. Leave and holidays are not subtracted. */
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
  /** The fields below only with GetSpecialty. */
  longDescription: string[];
  name: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** Whether the page has more than the description. */
  rich: boolean;
  services: string[];
  slug: string;
}

export interface Statistic {
  label: string;
  value: string;
}

export type StopNewsletterRequestInput = Record<string, never>;

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

/** An address whose mails bounce. */
export interface Suppression {
  createTime: string;
  email: string;
  /** End of the suppression. */
  expireTime: string;
  id: string;
  /** Status codes of the mail server, for example `5.1.1`. */
  reason: string;
}

export interface Surgery {
  /** `about` to `faqs` only with GetSurgery. */
  about: string[];
  /** Time until desk work, for example `1-2 weeks`. */
  backToWork: string;
  banner: string;
  /** Of `banner`. Absent if that was not uploaded. */
  bannerPicture?: Picture;
  benefits: string[];
  /** The fields below only with GetSurgery. */
  cost: SurgeryCost;
  description: string;
  /** Id of the doctor who operates, and whom patients consult. */
  doctorId: string;
  /** For example `1-2 hours`. */
  duration: string;
  faqs: Question[];
  /** 1 to 10. */
  id: string;
  image: string;
  indications: string[];
  name: string;
  /** Of `image`. Absent if that was not uploaded. */
  picture?: Picture;
  /** Lowest and highest price of the packages. */
  price: PriceRange;
  procedure: string[];
  /** For example `2-4 weeks`. */
  recovery: string;
  recoverySteps: RecoveryStep[];
  slug: string;
  /** For example `1 night`. */
  stay: string;
}

/** What a surgery costs. Quotes are given after a consultation. */
export interface SurgeryCost {
  /** What raises or lowers the price. */
  changes: string[];
  excluded: string[];
  included: string[];
  insurance: Insurance;
  /** At least one, in the order of their prices. */
  packages: SurgeryPackage[];
}

export interface SurgeryPackage {
  description: string;
  name: string;
  price: PriceRange;
}

export type TestNewsletterDraftRequestInput = Record<string, never>;

export type TestNewsletterDraftResponse = Record<string, never>;

export interface TranslateRecordRequestInput {
  language: 'kn' | 'hi';
  texts: TranslatedTextInput[];
}

export interface TranslatedTextInput {
  /** A text that the record has, exactly as GetRecordTranslations returned it. */
  english: string;
  /** One line of plain text, without control characters. Empty: removes the translation of staff. */
  translation?: string;
}

/** A change of a translation by staff. */
export interface TranslationChange {
  after: string;
  authorName: string;
  /** Translation of staff before and after. Empty: none. */
  before: string;
  createTime: string;
  english: string;
}

export type UndoAppointmentStatusRequestInput = Record<string, never>;

export interface UnscheduleRecordRequestInput {
  /** Whether `publish_time` is cancelled. At least one of the two must be true. */
  publish?: boolean;
  /** Whether `unpublish_time` is cancelled. */
  unpublish?: boolean;
}

export interface UnsubscribeRequestInput {
  /** From the link, at most 128 characters. */
  token?: string;
}

export type UnsubscribeResponse = Record<string, never>;

export interface UpdateSessionResponse {
  /** The first 100 by time. ListAppointments with `uncovered` has all, page by page. */
  affected: Appointment[];
  /** Total number. */
  affectedTotal: number;
  session: Session;
}

export interface VerifyAuditLogRequestInput {
  /** `next_page_token` of the call before, to check the entries after it. Empty: from the beginning. */
  pageToken?: string;
}

export interface VerifyAuditLogResponse {
  /** Number of the first entry that is not as written. Empty if `intact`. */
  brokenAt: string;
  /** Entries checked so far, from the beginning. */
  entries: string;
  /** `NUMBER:HASH` of the last entry, if all are intact. Compare with a head noted earlier: an earlier number must be in the log. */
  head: string;
  /** Whether every entry checked so far is as written. */
  intact: boolean;
  /** Empty if nothing is left to check. */
  nextPageToken: string;
}

/** Consultations by video of a department. */
export interface VideoClinic {
  /** Fee of a consultation in rupees. */
  feeRupees: number;
  /** Holidays are not subtracted. */
  hours: Sitting;
}

export interface WaitlistEntry {
  /** Output only: the doctor or clinic of the offered time. Absent: no offer. */
  attendant?: Attendant;
  /** Output only: when the person joined. */
  createTime: string;
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  email: string;
  /** Output only. */
  endReason: 'WAITLIST_END_REASON_UNSPECIFIED' | 'WAITLIST_END_REASON_LEFT' | 'WAITLIST_END_REASON_DAY_PAST' | 'WAITLIST_END_REASON_OFFERS_EXPIRED' | 'WAITLIST_END_REASON_ASKED' | 'WAITLIST_END_REASON_OTHER_APPOINTMENT' | 'WAITLIST_END_REASON_UNREACHABLE' | 'WAITLIST_END_REASON_NO_TIMES';
  /** Output only: when the entry was booked or ended. Absent: it still waits. */
  endTime?: string;
  /** Output only. */
  etag: string;
  /** Output only. */
  id: string;
  /**
   * Output only: language of the person, `kn` or `hi`, in which mails and texts are sent. Empty: English. Taken from the language of the
   * create, and of each change by the person.
   */
  language: string;
  /** Output only. */
  offerExpireTime: string;
  /** Output only: label of the offered time. */
  offerTime: string;
  /** Output only: number of offers so far. An expired offer moves the entry to the end of the queue; the third one ends it. */
  offers: number;
  /** As for an appointment. */
  patientName: string;
  phone: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** Output only, for example `WL-7K3M-9QXD`. */
  reference: string;
  /** Output only, in the response to the create. */
  secret: string;
  /** Output only. */
  state: 'WAITLIST_STATE_UNSPECIFIED' | 'WAITLIST_STATE_WAITING' | 'WAITLIST_STATE_OFFERED' | 'WAITLIST_STATE_BOOKED' | 'WAITLIST_STATE_ENDED';
  /**
   * Output only: why an opened link does not prove the entry. WAITLIST_MAX: the address already waits for this day, or for 4 days; end
   * one of these entries and open the link again. Empty: no obstacle.
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
  /** As for an appointment. */
  patientName: string;
  phone: string;
}

export type WithdrawLeaveRequestRequestInput = Record<string, never>;
