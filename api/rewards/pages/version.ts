import { createHash } from 'node:crypto';
import { toAnswer, type ShownDistribution } from '../read.ts';

/** Names what is shown now: equal for equal distributions, whichever process answers. */
export function versionOf(shown: ShownDistribution, baseUrl: string): string {
  const facts = JSON.stringify([toAnswer(baseUrl, shown), shown.payment?.status ?? null]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}
