import { countHits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { LinkPayer } from '../pay-links/payer.ts';

const PATIENCE_MS = 600_000;
const DELIVERIES = 3;

export type RewardPayer = ReturnType<typeof createRewardPayer>;

/**
 * A payer with their own wallet on a reward's page. Until one has arrived, the signature is another's: the service may die
 * under the first. Everything is sent three times.
 */
export function createRewardPayer(wallet: LinkPayer, url: () => string | null) {
  const injected: string[] = [];
  const sent: { path: string; signed: Record<string, unknown> }[] = [];

  async function post(path: string, step: string, body: object): Promise<Response> {
    const origin = url();
    if (origin === null) throw new Error('nobody listens');
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(20_000);
    return fetch(`${origin}${path}/${step}`, { method: 'POST', headers, signal, body: JSON.stringify(body) });
  }

  return {
    address: wallet.address,
    async pay(path: string): Promise<void> {
      const who = { network: wallet.network, address: wallet.address };
      const prepared = await post(path, 'prepare', who);
      if (prepared.status !== 200) return;
      const asked = (await prepared.json()) as Record<string, unknown>;
      const isForged = injected.length === 0;
      const signed = { ...who, ...(await wallet.sign(asked, isForged)) };
      sent.push({ path, signed });
      const posted = await Promise.allSettled(Array.from({ length: DELIVERIES }, () => post(path, 'signed', signed)));
      if (isForged && posted.some(({ status }) => status === 'fulfilled')) injected.push('forged signature');
    },
    /** What went wrong on purpose. */
    hits: () => countHits(injected),
    async sendAgain(): Promise<void> {
      for (const { path, signed } of sent) await eventually(() => post(path, 'signed', signed), PATIENCE_MS);
    },
  };
}
