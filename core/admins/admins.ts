/** Who may use the operator's console, each role all that the one before it may. */
export const ADMIN_ROLES = ['viewer', 'operator', 'owner'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/**
 * `look`: see everything but what is personal. `read`: that as well (mail addresses, what people wrote, who paid for a
 * receipt). `act`: what moves, stops or closes something. `admit`: who else may.
 */
const LEAST_ROLE = {
  look: 'viewer',
  read: 'operator',
  act: 'operator',
  admit: 'owner',
} as const satisfies Record<string, AdminRole>;
export type AdminRight = keyof typeof LEAST_ROLE;

export function mayDo(role: AdminRole, right: AdminRight): boolean {
  return ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(LEAST_ROLE[right]);
}

export function findAdminRole(word: string): AdminRole | null {
  return ADMIN_ROLES.find((known) => known === word) ?? null;
}

/** It stands in the audit, so it is short, and looks like nothing else. */
export function isAdminName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/.test(text);
}

/** As the audit names an admin; a command has the name of the computer's user instead. */
export function adminWho(name: string): string {
  return `console:${name}`;
}

const HOUR_MS = 3_600_000;
/** How long the link of an invitation works. */
export const INVITE_MS = 24 * HOUR_MS;
/** A session without a request for so long is over. */
export const SESSION_IDLE_MS = HOUR_MS / 4;
/** And so is one that has lasted so long, whatever is done in it. */
export const SESSION_MS = 8 * HOUR_MS;
