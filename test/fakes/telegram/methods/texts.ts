/** The texts and captions of a call, with the people whom they mention. */
import type { MessageEntity } from 'grammy/types';
import { z } from 'zod';
import { knownUser } from '../members.ts';
import { entities, linkPreviewOptions } from '../parameters.ts';
import type { Platform } from '../platform.ts';
import type { Parsed } from '../text/html.ts';
import { readCaption, readText } from '../text/formatted.ts';
import { refuseMiniAppsIn } from '../text/mini-app.ts';

export const textParameters = {
  text: z.string(),
  parse_mode: z.string().optional(),
  entities: entities.optional(),
  link_preview_options: linkPreviewOptions.optional(),
};
const textSchema = z.strictObject(textParameters);

export const captionParameters = {
  caption: z.string().optional(),
  parse_mode: z.string().optional(),
  caption_entities: entities.optional(),
};
const captionSchema = z.strictObject(captionParameters);

export function textOf(platform: Platform, parameters: z.infer<typeof textSchema>): Parsed {
  const formatting = { parse_mode: parameters.parse_mode, entities: known(platform, parameters.entities) };
  return withoutMiniApps(readText(parameters.text, formatting, (id) => knownUser(platform.world, id)));
}

/** Null where there is none. */
export function captionOf(platform: Platform, parameters: z.infer<typeof captionSchema>): Parsed | null {
  if (parameters.caption === undefined || parameters.caption === '') return null;
  const formatting = { parse_mode: parameters.parse_mode, entities: known(platform, parameters.caption_entities) };
  return withoutMiniApps(readCaption(parameters.caption, formatting, (id) => knownUser(platform.world, id)));
}

function withoutMiniApps(parsed: Parsed): Parsed {
  refuseMiniAppsIn(parsed.text, parsed.entities);
  return parsed;
}

/** Of a mention only the id counts: whom it names is looked up, and a stranger is no mention. */
function known(platform: Platform, given: z.infer<typeof entities> | undefined): MessageEntity[] | undefined {
  return given?.flatMap((entity): MessageEntity[] => {
    if (entity.type !== 'text_mention') return [entity];
    const user = knownUser(platform.world, entity.user.id);
    return user ? [{ ...entity, user }] : [];
  });
}
