/** Test accounts of the laptop issuer. The password of each is its name. */

/** Accounts by name. The name is also the subject and the only group. */
export const ACCOUNTS = {
  frontdesk: { name: 'Lakshmi Hegde' },
  editor: { name: 'Arjun Pai' },
  doctor: { name: 'Dr. Nandini Iyengar' },
  manager: { name: 'Farida Khan' },
};

/** Returns whether an account exists and the password is its name. */
export function isPassword(account, password) {
  return Object.hasOwn(ACCOUNTS, account) && password === account;
}

/** Returns the claims about an account. */
export function claimsOf(account) {
  return {
    sub: account,
    name: ACCOUNTS[account].name,
    preferred_username: account,
    email: `${account}@staff.example`,
    email_verified: true,
    groups: [account],
  };
}
