import type { AdminRight } from '../../core/admins/admins.ts';
import { ACTION_NAMES, ACTIONS, type ActionName } from './actions/actions.ts';
import { showAdmins } from './pages/admins.ts';
import { showAudit } from './pages/audit.ts';
import { showFlows } from './pages/flows.ts';
import { showHeld, showSuspense } from './pages/held.ts';
import { showExports } from './pages/exports.ts';
import { showLimits } from './pages/limits.ts';
import { showOverview } from './pages/overview.ts';
import { showReports } from './pages/reports.ts';
import { showSearch } from './pages/search.ts';
import { showStops } from './pages/stops.ts';
import type { Show } from './pages/visit.ts';

/** Everything that a session opens, with the right that it takes. What is not in here is reached by nobody. */
export type Route = { path: string; right: AdminRight } & (
  | { kind: 'page'; show: Show }
  | { kind: 'action'; action: ActionName }
  | { kind: 'file' }
);

const page = (path: string, show: Show): Route => ({ kind: 'page', path, right: 'look', show });

export const ROUTES: readonly Route[] = [
  page('/', showOverview),
  page('/flows', showFlows),
  page('/search', showSearch),
  page('/held', showHeld),
  page('/suspense', showSuspense),
  page('/stops', showStops),
  page('/reports', showReports),
  page('/limits', showLimits),
  page('/exports', showExports),
  page('/admins', showAdmins),
  page('/audit', showAudit),
  { kind: 'file', path: '/export.csv', right: 'act' },
  ...ACTION_NAMES.map((action): Route => ({
    kind: 'action',
    path: `/do/${action}`,
    right: ACTIONS[action].right,
    action,
  })),
];
