import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../../api/http/env.ts';
import { adminWho, mayDo, type AdminRight } from '../../core/admins/admins.ts';
import type { Config } from '../../core/config/config.ts';
import { AppError } from '../../core/errors.ts';
import type { Admin } from '../../db/admins/admins.ts';
import type { Store } from '../../db/store/store.ts';
import { Refused, UsageError } from '../operator/command.ts';
import { act, ACTIONS, contextOf, type ActionName } from './actions/actions.ts';
import { NO_PAGE, readForm, type Answers } from './answers.ts';
import { csvFile } from './actions/csv-file.ts';
import { sightOf } from './pages/sight.ts';
import { ROUTES, type Route } from './routes.ts';
import { adminOf, type Cookies } from './session.ts';

type WorkParts = { store: Store; config: Config; now: () => number; cookies: Cookies; answers: Answers };
type Work = (c: Context<ApiEnv>, admin: Admin) => Promise<Response>;

/** What a session opens, as the table says it. */
export function mountRoutes(app: Hono<ApiEnv>, parts: WorkParts): void {
  for (const route of ROUTES) {
    const answer = withRight(parts, route.right, workOf(parts, route));
    if (route.kind === 'page') app.get(route.path, answer);
    else app.post(route.path, answer);
  }
}

/** For an admin whose role, read anew with each request, has the right. */
function withRight(parts: WorkParts, right: AdminRight, work: Work) {
  const { tell, refuse } = parts.answers;
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const admin = await adminOf(parts, c);
    if (admin === null)
      return c.req.method === 'POST' ? refuse(401, 'You are not signed in any more.')(c) : c.redirect('/sign-in', 303);
    if (mayDo(admin.role, right)) return work(c, admin);
    return tell(
      c,
      admin,
      { title: 'Not yours', body: html`<p class="paper">The role ${admin.role} may not do that.</p>` },
      403,
    );
  };
}

function workOf(parts: WorkParts, route: Route): Work {
  const { store, config, now, answers } = parts;
  switch (route.kind) {
    case 'page':
      return async (c, admin) => {
        const query = (name: string) => c.req.query(name) ?? '';
        const shown = await route.show({ store, config, admin, sight: sightOf(admin.role), nowMs: now(), query });
        return shown === null ? answers.refuse(404, NO_PAGE)(c) : answers.tell(c, admin, shown);
      };
    case 'action':
      return (c, admin) => answerAction(parts, c, admin, route.action);
    case 'file':
      return (c, admin) => answerFile(parts, c, admin);
  }
}

const byOf = ({ config, store, now }: WorkParts, { name }: Admin) => ({
  config,
  store,
  who: adminWho(name),
  nowMs: now(),
});

async function answerAction(parts: WorkParts, c: Context, admin: Admin, action: ActionName): Promise<Response> {
  const { title, page } = ACTIONS[action];
  const field = await readForm(c);
  return orRefusal(parts, { c, admin, title }, async () => {
    const { lines } = await act(action, field, byOf(parts, admin));
    const body = html`<div class="paper letter" role="status">${lines.map((line) => html`<p>${line}</p>`)}</div>
      <p><a class="standing-link" href="${page}">Back</a></p>`;
    return parts.answers.tell(c, admin, { title, body });
  });
}

/** Before any payment of this service. */
const FIRST_DAY = '1970-01-01';

async function answerFile(parts: WorkParts, c: Context, admin: Admin): Promise<Response> {
  const field = await readForm(c);
  return orRefusal(parts, { c, admin, title: 'Exports' }, async () => {
    const [first, last] = [field('first'), field('last')];
    const words = last === '' ? [first].filter((day) => day !== '') : [first === '' ? FIRST_DAY : first, last];
    const { name, csv } = await csvFile(contextOf(byOf(parts, admin), { words }), field('what'));
    c.header('Content-Type', 'text/csv; charset=utf-8');
    c.header('Content-Disposition', `attachment; filename="${name}"`);
    return c.body(csv);
  });
}

type Asked = { c: Context; admin: Admin; title: string };

/** What a command says where it does nothing is for its admin; anything else is for the log. */
async function orRefusal(
  { answers }: WorkParts,
  { c, admin, title }: Asked,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof UsageError) && !(error instanceof AppError)) throw error;
    const body = html`<p class="alert" role="alert">${error.message}</p>`;
    return answers.tell(c, admin, { title, body }, error instanceof Refused ? 409 : 400);
  }
}
