import { html } from 'hono/html';
import { listActions } from '../../../db/operator/actions.ts';
import type { ActionRow } from '../../../db/stories/story.ts';
import type { Html } from '../../../web/html.ts';
import { facts } from '../../../web/components/facts.ts';
import { moment, records } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const SHOWN_MAX = 50;

/** What operators did, by command or here, the newest first. */
export async function showAudit(visit: Visit): Promise<Shown> {
  const before = /^[1-9][0-9]{0,14}$/.exec(visit.query('before'))?.[0];
  const found = await listActions(visit.store, before === undefined ? null : Number(before), SHOWN_MAX + 1);
  const shown = found.slice(0, SHOWN_MAX);
  const last = shown.at(-1);
  const next =
    found.length > SHOWN_MAX && last !== undefined
      ? html`<p><a class="standing-link" href="/audit?before=${last.id}">Earlier ones</a></p>`
      : '';
  return {
    title: 'Audit',
    body: html`${records(
      shown.map((action) => actionRecord(visit, action)),
      'Nothing was done yet.',
    )}${next}`,
  };
}

export function actionRecord(
  { sight }: Pick<Visit, 'sight'>,
  { who, command, arguments: words, result, atMs }: ActionRow,
): Html {
  return html`<h3>${command}</h3>
    ${facts([
      { label: 'Who', value: who },
      { label: 'When', value: moment(atMs) },
      words.length === 0 ? null : { label: 'Of', value: sight.text(words.join(' ')), isWide: true },
      { label: 'Result', value: sight.text(result), isWide: true },
    ])}`;
}
