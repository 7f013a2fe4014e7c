import type { CommandLine } from '../terminal/command-line.ts';
import type { Report } from '../paying/report.ts';
import type { Settings } from '../paying/settings.ts';
import type { Context } from '../terminal/context.ts';

/** `shown` is called once the report is written, because only then the caller knows of it. */
export type Done = { report: Report; shown?: () => void };

export type Command = (line: CommandLine, settings: Settings, context: Context) => Promise<Done>;
