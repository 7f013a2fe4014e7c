import { fine, looking, note, type Finding } from './finding.ts';
import type { World } from './world.ts';

/** Whether the lists can be read and the service answers. Nothing where nothing is screened. */
export async function checkScreening({ config: { screening }, asks }: World): Promise<readonly Finding[]> {
  const { lists, url, fails, timeoutMs } = screening;
  if (lists.length === 0 && url === undefined) return [];
  const subject = 'screening';
  const cure = `check SCREENING_LISTS and SCREENING_URL; a service answers {"allow": true} or false within ${timeoutMs / 1_000} s`;
  return looking(subject, cure, async () => {
    const { entries, others, service } = await asks.screening();
    const found = [
      fine(subject, [`${entries} entries in lists`, ...(service === null ? [] : ['the service answers'])].join(', ')),
    ];
    return [
      ...found,
      ...(others === 0
        ? []
        : [
            note(
              subject,
              `${others} lines of the lists are neither an address of these networks nor a name`,
              'such lines never fit; look whether they are typing mistakes',
            ),
          ]),
      ...(fails === 'closed' ? [] : [note(subject, 'without an answer money goes on', 'set SCREENING_FAILS=closed')]),
    ];
  });
}
