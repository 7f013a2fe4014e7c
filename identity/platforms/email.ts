import type { Dns } from '../dns.ts';
import type { Resolution, Resolver } from '../port.ts';
import type { ReportTrouble } from '../trouble.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/**
 * An address is its own identity; only a mail shows whether it has a mailbox. A domain that takes no mail is not found
 * (RFC 5321, section 5.1): it needs an MX or else an address; a null MX (RFC 7505) means "no mail here".
 */
export function createEmailResolver({ dns, report }: { dns: Dns; report: ReportTrouble }): Resolver {
  return async ({ key }, signal) => {
    const domain = key.slice(key.lastIndexOf('@') + 1);
    // Asked in parallel, since the time is short; used only where there is no MX.
    const addresses = Promise.all([dns(domain, 'A', signal), dns(domain, 'AAAA', signal)]);
    const mail = await dns(domain, 'MX', signal);
    if (mail.kind === 'records')
      return toResolution(
        key,
        mail.records.some((host) => host !== ''),
      );
    if (mail.kind === 'no-name') return { kind: 'not-found' };
    if (mail.kind === 'silent') return toUnavailable(mail.reason, report);
    const answers = await addresses;
    if (answers.some(({ kind }) => kind === 'records')) return toResolution(key, true);
    const silent = answers.find((answer) => answer.kind === 'silent');
    return silent === undefined ? { kind: 'not-found' } : toUnavailable(silent.reason, report);
  };
}

function toResolution(address: string, takesMail: boolean): Resolution {
  return takesMail ? { kind: 'found', stableId: address } : { kind: 'not-found' };
}

function toUnavailable(reason: string, report: ReportTrouble): Resolution {
  report(reason);
  return { kind: 'unavailable' };
}

export const email: PlatformIdentity = { resolving: () => createEmailResolver };
