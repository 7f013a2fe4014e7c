import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInEs: SignInTexts = {
  eyebrow: 'Iniciar sesión',
  title: 'Entrar para ver el dinero guardado aquí',
  lead: 'Demuestra de quién es el dinero igual que cuando lo recogiste.',
  whatFor: 'Así ves lo que se guarda aquí. No se mueve nada.',
  confirm: 'Abrir',
  shows: 'Ves lo que guardamos para ti. En tus otros sitios se ve que has entrado y se puede cerrar esta sesión.',
  unseenTitle: 'Podrás verlo más tarde',
  unseen: (time) =>
    `Nadie ha usado este nombre aquí en medio año, así que puede tener un nuevo dueño. Desde este navegador podrás ver y enviar lo que se guarda para él a partir del ${time}. Donde ya se guardaba antes se puede hacer ahora.`,
  waitsTitle: 'Verlo, ahora; enviarlo, más tarde',
  waits: (time) =>
    `Desde este navegador podrás enviarlo y retirarlo a partir del ${time}. Donde ya se guardaba antes se puede hacer ahora.`,
  waitsGuarded: (time) =>
    `Con su llave de acceso puedes enviarlo al momento. Sin ella, retirarlo a partir del ${time} tarda ${WITHOUT_PASSKEY_HOURS} horas.`,
};
