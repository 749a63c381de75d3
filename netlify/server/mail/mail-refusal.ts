/** The meaning of an error from an attempt to send an email. */
interface MailRefusal {
  /** The server will never accept this email for this recipient. */
  readonly permanent: boolean;
  /** The server works but refused the recipient, temporarily or permanently. */
  readonly ofRecipient: boolean;
  /** The server could not be reached, or did not accept the sign-in. */
  readonly unreachable: boolean;
}

/** SMTP reply codes for a missing or refused sign-in. The owner must correct the configuration. */
const authCodes = [530, 534, 535, 538];

interface MailerError {
  readonly code?: string;
  /** The SMTP command that failed; `CONN` before and between commands. */
  readonly command?: string;
  readonly responseCode?: number;
  /** The system call that failed, for socket errors. */
  readonly syscall?: string;
  readonly timeoutType?: string;
}

/** Interprets an error of nodemailer. */
export function refusalOf(error: unknown): MailRefusal {
  const { code, command, responseCode, syscall, timeoutType } = error as MailerError;
  const answered = typeof responseCode === 'number' && responseCode >= 400 && !authCodes.includes(responseCode);
  const ofRecipient = answered && command === 'RCPT TO';
  const permanent = answered && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  const notConnected =
    (code === 'ESOCKET' && syscall === 'connect') || (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT');
  return { permanent, ofRecipient, unreachable: code === 'EAUTH' || code === 'EDNS' || notConnected };
}
