import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../../core/config/config.ts';
import type { Admin } from '../../db/admins/admins.ts';
import { answerPage } from '../../web/answer.ts';
import type { Assets } from '../../web/assets.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import { shownOperator } from '../offers/operator.ts';
import type { Field } from './actions/actions.ts';
import { framed } from './pages/frame.ts';

export type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500;
type Told = { title: string; body: Html; scripts?: Page['scripts'] };

export type Answers = {
  /** `admin`: null for somebody who is nobody yet. */
  tell: (c: Context, admin: Admin | null, told: Told, status?: Status) => Promise<Response>;
  refuse: (status: Status, text: string) => (c: Context) => Promise<Response>;
};

export const NO_PAGE = 'There is no such page.';

export function createAnswers(config: Config, publicUrl: string, assets: Assets): Answers {
  const operator = shownOperator(config);
  const site = { baseUrl: publicUrl, operator, isPlayMoney: config.mode === 'local', assets };
  const tell: Answers['tell'] = (c, admin, told, status = 200) =>
    answerPage(c, { site }, framed(operator, admin, c.req.path, told), status);
  const refuse: Answers['refuse'] = (status, text) => (c) =>
    tell(c, null, { title: 'Console', body: html`<p class="paper">${text}</p>` }, status);
  return { tell, refuse };
}

/** Only what is text; files are none of our forms. */
export async function readForm(c: Context): Promise<Field> {
  const fields = await c.req.parseBody();
  return (name) => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
}
