/** Example response of `/site`. */
export const SITE = {
  name: 'Sampige Hospital',
  tagline: 'Excellence in Healthcare',
  foundedYear: 1979,
  beds: 100,
  address: {
    street: '27 Champaca Road',
    locality: 'Jayanagar',
    city: 'Bengaluru',
    region: 'Karnataka',
    postalCode: '560041',
    country: 'IN',
  },
  latitude: 12.925,
  longitude: 77.5938,
  phones: [
    { purpose: 'emergency', label: '24/7 emergency', display: '+91 80 0000 0108', e164: '+918000000108' },
    { purpose: 'reception', label: 'Reception', display: '+91 80 0000 0100', e164: '+918000000100' },
  ],
  emails: [{ purpose: 'general', label: 'General', address: 'care@hospital.example' }],
  hours: [
    { purpose: 'emergency', label: 'Emergency', hours: '24 hours, every day' },
    { purpose: 'footer_weekdays', label: 'Monday to Friday', hours: '8 AM-8 PM' },
  ],
  origin: 'https://hospital.example/',
  statistics: [
    { value: '46+', label: 'Years of care' },
    { value: '50+', label: 'Doctors' },
    { value: '10M+', label: 'Patients' },
    { value: '24/7', label: 'Emergency' },
  ],
  accreditations: ['NABH accredited'],
};
