import type { Dns } from '../dns.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { httpsUrlOfHost, type ToHostUrl } from '../platforms/published-wallets.ts';
import type { ReportTrouble } from '../trouble.ts';
import { refuse, UNAVAILABLE, type ProofOutcome } from './port.ts';

export type WebOptions = {
  dns: Dns;
  /** For URLs of strangers: global addresses only, and no redirect. */
  fetch: GuardedFetch;
  report: ReportTrouble;
  toHostUrl?: ToHostUrl;
};

/** What the owner of a host publishes, as a TXT record or in a file. */
export type WebInstructions = { txtName: string; fileUrl: string; line: string };

export type WebProof = {
  instructions: (claim: { host: string; token: string }) => WebInstructions;
  /** Asks anew each time, so that a check before paying notices a change. */
  check: (claim: { host: string; token: string; signal: AbortSignal }) => Promise<ProofOutcome>;
};

/** Too long to guess, and without characters that a name server or an editor would change. */
const TOKEN = /^[A-Za-z0-9_:.=-]{20,180}$/;
const FILE_PATH = '/.well-known/pennypost.txt';

/**
 * The owner of a host can publish our text under it: as a TXT record of `_pennypost.<host>`, or as a line of a file.
 * `host` is the key of a recipient. The file is read at the host itself, because a redirect would let another site
 * speak for it.
 */
export function createWebProof({ dns, fetch, report, toHostUrl = httpsUrlOfHost }: WebOptions): WebProof {
  return {
    instructions: ({ host, token }) => ({
      txtName: `_pennypost.${host}`,
      fileUrl: toHostUrl(host, FILE_PATH),
      line: toLine(token),
    }),
    check: async ({ host, token, signal }) => {
      const line = toLine(token);
      const [record, isInFile] = await Promise.all([
        dns(`_pennypost.${host}`, 'TXT', signal),
        hasLine(fetch, toHostUrl(host, FILE_PATH), line, signal),
      ]);
      if (isInFile || (record.kind === 'records' && record.records.includes(line))) {
        return { kind: 'proven', stableId: host, handle: host };
      }
      if (record.kind !== 'silent') return refuse('not_published');
      report(record.reason);
      return UNAVAILABLE;
    },
  };
}

function toLine(token: string): string {
  if (!TOKEN.test(token)) throw new Error('expected a token of 20 to 180 letters, digits or _:.=-');
  return `pennypost=${token}`;
}

/** No such file, or no answer, is normal, because most owners use only one of the two ways. */
async function hasLine(fetch: GuardedFetch, url: string, line: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, text } = await fetch.get(url, { signal });
    return status === 200 && text.split(/\r?\n/).includes(line);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return false;
  }
}
