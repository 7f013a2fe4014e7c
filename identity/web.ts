import type { Dns, DnsAnswer } from './dns.ts';
import type { Resolver } from './port.ts';
import type { ReportTrouble } from './trouble.ts';

/**
 * A host is its own identity. One without address, mail or name server is most likely a typo and is not found: money
 * for it could only come back. The first record of any kind proves the name, so that one slow answer delays nobody.
 */
export function createWebResolver({ dns, report }: { dns: Dns; report: ReportTrouble }): Resolver {
  return ({ key }, signal) => {
    const asked = (['A', 'AAAA', 'MX', 'NS'] as const).map((type) => dns(key, type, signal));
    return new Promise((resolve, reject) => {
      for (const question of asked) {
        question.then(({ kind }) => {
          if (kind === 'records') resolve({ kind: 'found', stableId: key });
          if (kind === 'no-name') resolve({ kind: 'not-found' });
        }, reject);
      }
      Promise.all(asked).then((answers) => resolve({ kind: conclude(answers, report) }), reject);
    });
  };
}

/** When no answer had a record: only if all were heard is the name known to be empty. */
function conclude(answers: readonly DnsAnswer[], report: ReportTrouble): 'not-found' | 'unavailable' {
  const silent = answers.find((answer) => answer.kind === 'silent');
  if (silent === undefined) return 'not-found';
  report(silent.reason);
  return 'unavailable';
}
