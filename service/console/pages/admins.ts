import { html } from 'hono/html';
import { ADMIN_ROLES, mayDo } from '../../../core/admins/admins.ts';
import { listAdmins } from '../../../db/admins/admins.ts';
import { facts } from '../../../web/components/facts.ts';
import { actionForm, choiceField, moment, records, textField } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const ROLES = ADMIN_ROLES.map((role) => [role, role] as const);

export async function showAdmins(visit: Visit): Promise<Shown> {
  const admins = await listAdmins(visit.store, visit.nowMs);
  const items = admins.map(
    ({ name, role, canSignIn, inviteUntilMs }) => html`<h2>${name}</h2>
      ${facts([
        { label: 'Role', value: role },
        { label: 'Passkey', value: canSignIn ? 'yes' : 'none' },
        inviteUntilMs === null ? null : { label: 'A link works until', value: moment(inviteUntilMs) },
      ])}
      <div class="forms">
        ${
          canSignIn
            ? actionForm(visit, {
                action: 'role',
                about: { name },
                fields: choiceField(`role-${name}`, 'role', 'Other role', ROLES),
                label: 'Change',
                what: name,
              })
            : ''
        }
        ${actionForm(visit, { action: 'invite', about: { name, role }, label: 'New passkey', what: `for ${name}` })}
        ${actionForm(visit, { action: 'remove', about: { name }, label: 'Remove', what: name })}
      </div>`,
  );
  return { title: 'Admins', body: html`${records(items, 'Nobody.')}${inviteCard(visit)}` };
}

function inviteCard(visit: Visit) {
  if (!mayDo(visit.admin.role, 'admit')) return '';
  return html`<section class="paper letter">
    <h2>Invite</h2>
    <p>The answer is a link that works once. The passkey that is made there is this admin’s only one from then on.</p>
    ${actionForm(visit, {
      action: 'invite',
      fields: html`${textField('invite-name', 'name', 'Name, such as ada')}${choiceField('invite-role', 'role', 'Role', ROLES)}`,
      label: 'Invite',
    })}
  </section>`;
}
