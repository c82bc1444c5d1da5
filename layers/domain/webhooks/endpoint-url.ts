// Which addresses may be registered as a webhook. What a name resolves to is judged again at every connection, by the
// adapter that connects: a name can change its mind after it was registered.
import { fail, ok, type Outcome } from '../errors.ts';

/** Browsers and Node agree with this parser, so an odd spelling of an address is seen as what it will be called as. */
const NOT_IN_URL = /[\s\\]|[^\x21-\x7e]/;
const IP_LITERAL = /^\[|^\d{1,3}(\.\d{1,3}){3}$/;
/** Names that lead into the machine or the network the service runs in, whoever answers for them. */
const INNER_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;
const HTTPS_PORT = 443;
/** Ports below belong to other services, which a POST of ours might speak to by accident. */
const FREE_PORT_MIN = 1024;

const refuse = (message: string): Outcome<never> => fail('invalid_request', { message, hint: 'Give a public https address.' });

const judgeHost = (host: string): string | undefined => {
  if (IP_LITERAL.test(host)) return 'url must name a host, not an IP address';
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (!name.includes('.') || INNER_NAME.test(name)) return 'url must name a public host';
  return undefined;
};

const complaintAbout = (url: URL): string | undefined => {
  if (url.protocol !== 'https:') return 'url must be https';
  if (url.username !== '' || url.password !== '') return 'url must hold no user name or password';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) return `url must use port ${HTTPS_PORT}, or one from ${FREE_PORT_MIN} on`;
  return judgeHost(url.hostname);
};

/** The one address a local stack takes besides public ones: a receiver on the same machine. */
export const isLoopbackUrl = (url: URL): boolean =>
  url.protocol === 'http:' && url.hostname === '127.0.0.1' && url.username === '' && url.password === '';

/**
 * Judges the address of a webhook.
 * @returns the address as it was given, or `invalid_request` with what is wrong with it.
 */
export const judgeUrl = (text: string, options: { readonly allowsLoopback: boolean }): Outcome<string> => {
  if (NOT_IN_URL.test(text) || !URL.canParse(text)) return refuse('url is not a valid address');
  const url = new URL(text);
  if (options.allowsLoopback && isLoopbackUrl(url)) return ok(text);
  const complaint = complaintAbout(url);
  return complaint === undefined ? ok(text) : refuse(complaint);
};
