import type { QueueLog } from '../../../queue/outage.ts';

export type LogLine = { level: 'info' | 'warn'; fields: Record<string, unknown>; message: string };

export function createLogRecorder(): { log: QueueLog; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const record =
    (level: LogLine['level']) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields: { ...fields }, message });
    };
  return { log: { info: record('info'), warn: record('warn') }, lines };
}
