import type { ApiDependencies } from '../environment/dependencies.ts';
import type { AgentCaller } from './caller.ts';
import type { Skills } from './skills.ts';

/** An unpaid task of a message may be paid this long after it was last touched; its price does not change meanwhile. */
export const OPEN_MS = 3_600_000;

/** What a call about a task needs beside its params. */
export type TaskContext = { dependencies: ApiDependencies; skills: Skills; caller: AgentCaller };

/** The form of our ids. Other texts never reach the database, because some databases refuse them. */
export const TASK_ID = /^[\w-]{22}$/;
