import { ComponentType, MessageFlags } from 'discord-api-types/v10';
import type { Components } from '../forms/components.ts';
import { failure } from '../forms/failure.ts';
import { type Complaint, formFailure } from '../forms/form.ts';
import type { Version } from './world.ts';

const ROWS_MAX = 5;
const COMPONENTS_MAX = 40;
const DISPLAYED_TEXT_MAX = 4000;

/** Rules that only the whole message shows, after an edit too: it is not empty, and old and new components do not mix. */
export function checkContents(message: Version & { flags: number }): void {
  const parts = partsOf(message.components);
  const isNewStyle = (message.flags & MessageFlags.IsComponentsV2) !== 0;
  const complaints = [
    ...(isNewStyle ? newStyleComplaints(message, parts) : oldStyleComplaints(message.components)),
    ...duplicateComplaints(message.components),
    ...referenceComplaints(message, parts),
  ];
  if (complaints.length > 0) throw formFailure(complaints);
  const isEmpty =
    message.content.trim() === '' &&
    message.embeds.length === 0 &&
    message.attachments.length === 0 &&
    message.components.length === 0;
  if (isEmpty) throw failure('emptyMessage');
}

function oldStyleComplaints(components: Components): Complaint[] {
  const path = ['components'];
  if (components.length > ROWS_MAX) {
    return [{ path, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${ROWS_MAX} in length.` }];
  }
  return components.flatMap(({ type }, index) =>
    type === ComponentType.ActionRow
      ? []
      : [
          {
            path: [...path, index, 'type'],
            code: 'UNION_TYPE_CHOICES',
            message: 'Value of field "type" must be one of (1,).',
          },
        ],
  );
}

function newStyleComplaints(message: Version, parts: readonly Part[]): Complaint[] {
  const complaints: Complaint[] = [];
  for (const field of ['content', 'embeds'] as const) {
    if (message[field].length > 0) {
      complaints.push({
        path: [field],
        code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
        message: 'The field cannot be used with MessageFlags.IS_COMPONENTS_V2',
      });
    }
  }
  if (parts.length > COMPONENTS_MAX) {
    complaints.push({
      path: ['components'],
      code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      message: `The total number of components cannot exceed ${COMPONENTS_MAX}`,
    });
  }
  const displayed = parts.reduce(
    (sum, part) => sum + (part.type === ComponentType.TextDisplay ? part.content.length : 0),
    0,
  );
  if (displayed > DISPLAYED_TEXT_MAX) {
    complaints.push({
      path: ['components'],
      code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      message: `The total displayable text size cannot exceed ${DISPLAYED_TEXT_MAX}`,
    });
  }
  return complaints;
}

function duplicateComplaints(components: Components): Complaint[] {
  const seen = new Set<string>();
  return components.flatMap((component, index) =>
    partsOf([component]).flatMap((part) => {
      const id = 'custom_id' in part ? part.custom_id : null;
      if (id === null || !seen.has(id)) {
        if (id !== null) seen.add(id);
        return [];
      }
      const code = 'COMPONENT_CUSTOM_ID_DUPLICATED';
      return [{ path: ['components', index], code, message: 'Component custom id cannot be duplicated' }];
    }),
  );
}

/** Discord shows nothing for a missing picture in an embed; here it is a mistake like in a component. */
function referenceComplaints(message: Version, parts: readonly Part[]): Complaint[] {
  const names = new Set(message.attachments.map(({ filename }) => `attachment://${filename}`));
  const urls = [
    ...message.embeds.flatMap((e) => [e.image?.url, e.thumbnail?.url, e.footer?.icon_url, e.author?.icon_url]),
    ...parts.flatMap((part) => {
      if (part.type === ComponentType.Thumbnail) return [part.media.url];
      if (part.type === ComponentType.MediaGallery) return part.items.map(({ media }) => media.url);
      return part.type === ComponentType.File ? [part.file.url] : [];
    }),
  ];
  return urls
    .filter((url) => url?.startsWith('attachment://') && !names.has(url))
    .map((url) => ({
      path: ['attachments'],
      code: 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
      message: `Referenced attachment ${String(url)} was not found`,
    }));
}

export type Part = ReturnType<typeof partsOf>[number];

/** All components, nested ones included, in the order in which they are shown. */
export function partsOf(components: Components) {
  return components.flatMap((component) => {
    if (component.type !== ComponentType.Container) return [component, ...childrenOf(component)];
    return [component, ...component.components.flatMap((child) => [child, ...childrenOf(child)])];
  });
}

function childrenOf(component: Components[number]) {
  if (component.type === ComponentType.ActionRow) return component.components;
  return component.type === ComponentType.Section ? [...component.components, component.accessory] : [];
}

/** Every text of a message in which a mention counts. */
export function textsOf(message: Version): string[] {
  const shown = partsOf(message.components).flatMap((part) =>
    part.type === ComponentType.TextDisplay ? [part.content] : [],
  );
  return [message.content, ...shown];
}
