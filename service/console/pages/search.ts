import { html } from 'hono/html';
import { onlyStory, type OnlyStory } from '../../../db/stories/only-story.ts';
import { searchStories, type Found } from '../../../db/stories/search.ts';
import type { Other } from '../../../db/stories/others.ts';
import type { Html } from '../../../web/html.ts';
import { usdcText } from '../../operator/text.ts';
import { addressCode, moment, more, records, searchLink } from './parts.ts';
import { otherStoryBody } from './other-story.ts';
import { storyBody } from './story.ts';
import type { Shown, Visit } from './visit.ts';

/** Longer than any name, hash or address of a receipt. */
const TEXT_MAX = 600;

/** What alone fits is told as a whole; of several each leads to its own. */
export async function showSearch(visit: Visit): Promise<Shown> {
  const text = visit.query('q').slice(0, TEXT_MAX).trim();
  if (text === '') return { title: 'Search', body: searchForm('') };
  if (!visit.sight.mayAsk(text)) {
    return { title: 'Search', body: html`${searchForm('')}<p>An operator may search for a mail address.</p>` };
  }
  const found = await searchStories(visit.store, text);
  const only = await onlyStory(visit.store, found);
  const body = only ? onlyBody(visit, only) : foundList(found);
  return { title: 'Search', body: html`${searchForm(text)}${unexplained(found)}${body}` };
}

const onlyBody = (visit: Visit, story: OnlyStory): Html =>
  'payment' in story ? storyBody(visit, story.payment) : otherStoryBody(visit, story.other);

function searchForm(text: string): Html {
  return html`<search class="paper letter"><form method="get" action="/search">
      <p class="field">
        <label for="search-text">A txn_id, the id of anything, a name (x:alice), account (discord:42), wallet, transaction or receipt</label>
        <input id="search-text" name="q" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off" spellcheck="false" required>
      </p>
      <button type="submit" class="button small">Search</button>
    </form></search>`;
}

function foundList({ payments, others, hasMore }: Found): Html {
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
      <p>Paid by ${addressCode(payer)}, ${moment(createdAtMs)}</p>`,
  );
  return html`${records([...items, ...others.map(otherLink)], 'Nothing fits.')}${more(hasMore, 'There are more; these are the newest.')}`;
}

function otherLink({ kind, id, amountMicroUsdc, atMs }: Other): Html {
  return html`<h2>${usdcText(amountMicroUsdc)}: ${kind}</h2><p>${searchLink(id)}, ${moment(atMs)}</p>`;
}

function unexplained({ unexplained: transfers }: Found): Html | '' {
  if (transfers.length === 0) return '';
  const items = transfers.map(
    ({ amountMicroUsdc, network, seenAtMs, outgoing }) => html`<h2>${usdcText(amountMicroUsdc)} on ${network}</h2>
      <p>Nothing explains this transfer ${outgoing ? 'out' : 'in'}, seen ${moment(seenAtMs)}: <a href="/suspense">suspense</a>.</p>`,
  );
  return records(items, '');
}
