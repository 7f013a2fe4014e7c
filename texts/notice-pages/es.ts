import type { NoticePageTexts } from './en.ts';

export const noticePageEs: NoticePageTexts = {
  eyebrow: 'Correos',
  stopTitle: '¿No más correos sobre dinero?',
  stopDescription: 'Un clic, y no escribimos más.',
  stopLead: 'Nunca más te escribiremos que te espera dinero.',
  stopButton: 'No escribir más',
  stopHint: 'El dinero que te envíen se puede seguir recogiendo. Lo que no recojas vuelve a su origen.',
  stoppedTitle: 'No escribimos más',
  stoppedDescription: 'No habrá más correos sobre dinero que espera.',
  stoppedLead: 'A partir de ahora no habrá más correos sobre dinero que te espera.',
  stoppedNote:
    'Solo te llegará lo que pidas tú, como un código al recoger dinero, y un aviso cuando algo vaya a cambiar con tu dinero.',
  holdTitle: '¿Detenerlo?',
  holdLead: 'Se detiene todo lo que iba a cambiar con este dinero.',
  holdNote:
    'Quien entró y aún no puede enviar queda fuera, las llaves de acceso nuevas se quitan y lo que se iba a retirar se queda.',
  holdButton: 'Detener',
  heldTitle: 'Está detenido',
  heldNote:
    'Ya no cambia nada, y el dinero está donde estaba. Si otra persona puede leer tu correo, cambia su contraseña.',
  overTitle: 'Este enlace ya no vale',
  overNote: 'Lo que anunciaba ya ha pasado o se detuvo. Entra para ver tu dinero.',
  seePurse: 'Ver tu dinero',
};
