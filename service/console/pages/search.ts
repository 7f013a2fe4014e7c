import { html } from 'hono/html';
import { searchPayments, type Found } from '../../../db/stories/search.ts';
import { paymentStory } from '../../../db/stories/story.ts';
import type { Html } from '../../../web/html.ts';
import { usdcText } from '../../operator/text.ts';
import { moment, more, records, searchLink } from './parts.ts';
import { storyBody } from './story.ts';
import type { Shown, Visit } from './visit.ts';

/** Longer than any name, hash or address of a receipt. */
const TEXT_MAX = 600;

/** One payment is told as a whole; of several each leads to its own. */
export async function showSearch(visit: Visit): Promise<Shown> {
  const text = visit.query('q').slice(0, TEXT_MAX).trim();
  if (text === '') return { title: 'Search', body: searchForm('') };
  const found = await searchPayments(visit.store, text);
  const [only, ...others] = found.payments;
  const story = only !== undefined && others.length === 0 ? await paymentStory(visit.store, only.id) : null;
  const body = story === null ? foundList(found) : storyBody(visit, story);
  return { title: 'Search', body: html`${searchForm(text)}${unexplained(found)}${body}` };
}

function searchForm(text: string): Html {
  return html`<search class="paper letter"><form method="get" action="/search">
      <p class="field">
        <label for="search-text">A txn_id, payment, payout, claim, name (x:alice), wallet, transaction or receipt</label>
        <input id="search-text" name="q" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off" spellcheck="false" required>
      </p>
      <button type="submit" class="button small">Search</button>
    </form></search>`;
}

function foundList({ payments, hasMore }: Found): Html {
  const items = payments.map(
    ({
      id,
      network,
      status,
      sumMicroUsdc,
      payer,
      createdAtMs,
    }) => html`<h2>${usdcText(sumMicroUsdc)} on ${network}, ${status}</h2>
      <p>${searchLink(id)}</p>
      <p>Paid by <code>${payer}</code>, ${moment(createdAtMs)}</p>`,
  );
  return html`${records(items, 'No payment fits.')}${more(hasMore, 'There are more; these are the newest.')}`;
}

function unexplained({ unexplained: transfers }: Found): Html | '' {
  if (transfers.length === 0) return '';
  const items = transfers.map(
    ({ amountMicroUsdc, network, seenAtMs, outgoing }) => html`<h2>${usdcText(amountMicroUsdc)} on ${network}</h2>
      <p>Nothing explains this transfer ${outgoing ? 'out' : 'in'}, seen ${moment(seenAtMs)}: <a href="/suspense">suspense</a>.</p>`,
  );
  return records(items, '');
}
