import { NETWORKS, type Network } from '../../core/networks.ts';
import type { Dns, DnsAnswer } from '../dns.ts';
import type { Resolution, Resolver } from '../port.ts';
import type { ReportTrouble } from '../trouble.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/**
 * A host is its own identity. One without address, mail or name server is most likely a typo and not found: money for
 * it could only come back. The first record of any type proves the name, so that one slow answer delays no caller.
 */
export function createWebResolver({ dns, report }: { dns: Dns; report: ReportTrouble }): Resolver {
  return ({ key }, signal) => {
    const asked = (['A', 'AAAA', 'MX', 'NS'] as const).map((type) => dns(key, type, signal));
    return new Promise((resolve, reject) => {
      for (const question of asked) {
        question.then((answer) => {
          const resolution = conclude(key, answer);
          if (resolution !== null) resolve(resolution);
        }, reject);
      }
      Promise.all(asked).then((answers) => {
        if (answers.every((answer) => conclude(key, answer) === null)) resolve(concludeFromNothing(answers, report));
      }, reject);
    });
  };
}

/** Null: this answer alone decides nothing. */
function conclude(key: string, { kind }: DnsAnswer): Resolution | null {
  if (kind === 'records') return { kind: 'found', stableId: key };
  return kind === 'no-name' ? { kind: 'not-found' } : null;
}

/** A name is known to be empty only when every question was answered. */
function concludeFromNothing(answers: readonly DnsAnswer[], report: ReportTrouble): Resolution {
  const silent = answers.find((answer) => answer.kind === 'silent');
  if (silent === undefined) return { kind: 'not-found' };
  report(silent.reason);
  return { kind: 'unavailable' };
}

export const web: PlatformIdentity = {
  resolving: () => createWebResolver,
  findPublished: async ({ findWallets }, { key }, signal) => {
    // A host that cannot be read publishes nothing.
    const wallets = await findWallets(key, signal);
    const publishedOn = (network: Network) =>
      (wallets?.[network] ?? []).map((address) => ({ network, address, isProvenHere: false }));
    return { kind: 'published', addresses: NETWORKS.flatMap(publishedOn) };
  },
};
