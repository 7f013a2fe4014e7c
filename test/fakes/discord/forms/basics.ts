import { z } from 'zod';
import { complaint } from './form.ts';

/** Ids are text of digits: as a number the last digits would be lost. */
export const snowflake = z.string().regex(/^\d{17,20}$/);

/** Lengths are counted in UTF-16 units, which refuses a few emoji-laden texts that Discord would take. */
export function text(least: number, most: number) {
  return z.string().min(least).max(most);
}

export const partialEmoji = z.strictObject({
  id: snowflake.nullish(),
  name: z.string().min(1).max(100).nullish(),
  animated: z.boolean().optional(),
});

/** A link that clients open. */
export function link(most: number, schemes: readonly string[] = ['http', 'https', 'discord']) {
  return z
    .string()
    .max(most)
    .superRefine((value, context) => {
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase() ?? '';
      if (!schemes.includes(scheme)) {
        const allowed = schemes.map((name) => `'${name}'`).join(', ');
        context.addIssue(
          complaint(
            [],
            'URL_TYPE_INVALID_SCHEME',
            `Scheme "${scheme}" is not supported. Scheme must be one of (${allowed}).`,
          ),
        );
      } else if (!URL.canParse(value)) {
        context.addIssue(complaint([], 'URL_TYPE_INVALID_URL', 'Not a well formed URL.'));
      }
    });
}
