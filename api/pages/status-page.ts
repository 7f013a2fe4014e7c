import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { networkTitle, type Network } from '../../core/networks.ts';
import type { Outage } from '../../core/payments/outages.ts';
import { isSolvent, readSolvency } from '../../db/audit/solvency.ts';
import { readStandings } from '../../db/networks/standing.ts';
import type { Store } from '../../db/store/store.ts';
import { RECEIPT_PAGES } from '../../texts/receipt-page/languages.ts';
import { TRUST } from '../../texts/trust/languages.ts';
import { factLines } from '../../web/components/facts.ts';
import { sentence } from '../../web/components/sentence.ts';
import { time } from '../../web/components/time.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

/** Everyone who asks within it is shown the same look. */
const SHOWN_MS = 5_000;
const REFRESH_SECONDS = 30;

/** What works, as a page for people says it. `comparedAtMs`: null where it is not shown that all that is owed is there. */
export type Look = {
  atMs: number;
  networks: readonly { network: Network; outage: Outage | null; payoutsStopped: boolean }[];
  comparedAtMs: number | null;
};

/** Null: the database does not answer, so nobody knows. */
export type Looks = () => Promise<Look | null>;

export function createLooks({ store, now }: { store: Store; now: () => number }, networks: readonly Network[]): Looks {
  let last: { atMs: number; look: Promise<Look | null> } | null = null;
  return () => {
    const atMs = now();
    if (last === null || atMs - last.atMs >= SHOWN_MS)
      last = { atMs, look: lookNow(store, networks, atMs).catch(() => null) };
    return last.look;
  };
}

async function lookNow(store: Store, networks: readonly Network[], atMs: number): Promise<Look> {
  const [standings, solvencies] = await Promise.all([
    readStandings(store, networks, atMs),
    readSolvency(store, networks),
  ]);
  const compared = isSolvent(solvencies)
    ? Math.min(...solvencies.networks.map(({ comparedAtMs }) => comparedAtMs))
    : null;
  return { atMs, networks: standings, comparedAtMs: compared };
}

type Titled = readonly { network: string; caip2: string }[];

export function statusPage(look: Look | null, terms: Titled, language: Language): Page {
  const words = TRUST[language];
  const lead = words.statusLead[leadOf(look)];
  return {
    title: words.links.status,
    description: lead,
    path: '/status',
    refreshSeconds: REFRESH_SECONDS,

    main: html`<article class="paper letter prose">
      <h1>${words.links.status}</h1>
      <p class="state"><strong class="${leadOf(look) === 'all' ? 'good' : ''}">${lead}</strong></p>
      ${look === null ? '' : details(look, terms, language)}
      <p class="actions"><a class="button quiet" href="/help">${words.links.help}</a></p>
    </article>`,
  };
}

function leadOf(look: Look | null): 'all' | 'some' | 'none' | 'unknown' {
  if (look === null) return 'unknown';
  const { networks, comparedAtMs } = look;
  if (networks.every(({ outage }) => outage !== null)) return 'none';
  const isWhole = networks.every(({ outage, payoutsStopped }) => outage === null && !payoutsStopped);
  return isWhole && comparedAtMs !== null ? 'all' : 'some';
}

function details({ networks, atMs, comparedAtMs }: Look, terms: Titled, language: Language): Html {
  const words = TRUST[language];
  const rows = networks.map(({ network, outage, payoutsStopped }) => ({
    label: networkTitle(network, terms.find((one) => one.network === network)?.caip2 ?? null),
    value: words.place[outage !== null ? 'out' : payoutsStopped ? 'waits' : 'works'],
    isWide: true,
  }));
  return html`<dl class="facts">${factLines(rows)}</dl>
      <p>${comparedAtMs === null ? words.owedUnknown : atTime(words.owedIsThere, comparedAtMs, language)}</p>
      <p class="hint">${atTime(words.looked, atMs, language)}</p>`;
}

function atTime(write: (time: string) => string, atMs: number, language: Language): Html {
  const date = new Date(atMs);
  return sentence((put) => write(put(time(date, RECEIPT_PAGES[language].minute(date)))));
}
