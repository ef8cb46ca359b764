/** Names of the teams and their services on pages of staff. */
const TEAMS: Readonly<Record<string, string>> = {
  booking: 'Appointments',
  messaging: 'Messages',
  content: 'Website',
  assessment: 'Health check',
  shell: 'This site',
};

/** Returns the name of a team. A team that is not listed has its own name. */
export function teamName(team: string): string {
  return (Object.hasOwn(TEAMS, team) && TEAMS[team]) || team.charAt(0).toUpperCase() + team.slice(1);
}
