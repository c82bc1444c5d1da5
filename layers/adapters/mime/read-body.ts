// Runs mailparser over a message and collects its text, HTML and attachments under caps. The only file that imports it.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MailParser, type AttachmentStream, type MessageText } from 'mailparser';
import type { ParsedAttachment, ParseLimits } from '#domain/ports/mail-content.ts';
import { contentTypeOf } from '#adapters/mime/content-type.ts';
import { cleanFilename } from '#adapters/mime/filenames.ts';
import { PARSE_STALLED, PARSE_TIMEOUT_MS } from '#adapters/mime/parse-limits.ts';

/** What the parts of a message hold. */
export interface BodyReading {
  readonly text: string;
  readonly html?: string;
  readonly attachments: readonly ParsedAttachment[];
}

/** What the parser makes of a Content-Type field; the library declares every header as unknown text. */
interface ParsedContentType {
  readonly value?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Parameters belong to the type that was declared: one that the parser guessed from the file name has none. */
const declaredParameters = ({ contentType, headers }: AttachmentStream): [string, string][] => {
  const declared = headers.get('content-type') as ParsedContentType | undefined;
  if (typeof declared?.value !== 'string' || declared.value.trim().toLowerCase() !== String(contentType).toLowerCase()) return [];
  return Object.entries(declared.params ?? {}).map(([name, value]) => [name, String(value)]);
};

/** A type that may be repeated in a response header; anything odd becomes plain bytes. */
const contentTypeOfPart = (part: AttachmentStream): string =>
  contentTypeOf(String(part.contentType), declaredParameters(part)) ?? 'application/octet-stream';

const cleanContentId = (cid: string | undefined): string | undefined => {
  const id = (cid ?? '').replace(/[^!-;=?-~]/g, '').slice(0, 250);
  return id === '' ? undefined : id;
};

const toAttachment = (part: AttachmentStream, content: Buffer, index: number): ParsedAttachment => {
  const contentId = cleanContentId(part.cid);
  return {
    index,
    filename: cleanFilename(part.filename || undefined, index),
    contentType: contentTypeOfPart(part),
    ...(contentId === undefined ? {} : { contentId }),
    size: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    content,
    inline: part.contentDisposition === 'inline' || part.related === true,
  };
};

/** Reads one attachment stream to its end; the parser waits for `release` before it goes on. */
const collect = async (part: AttachmentStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of part.content as Readable) chunks.push(chunk as Buffer);
  part.release();
  return Buffer.concat(chunks);
};

const toText = (part: MessageText, textBytesMax: number): Pick<BodyReading, 'text' | 'html'> => {
  const text = part.text ?? '';
  const html = typeof part.html === 'string' ? part.html : undefined;
  if (Math.max(text.length, html?.length ?? 0) > textBytesMax) throw new Error('text is too large');
  return { text, ...(html === undefined ? {} : { html }) };
};

/**
 * The parser makes no HTML and follows no links: those are the paths where crafted mail makes it throw or run for seconds
 * (20,000 nested elements, a text of nothing but dots), and nothing here wants their results.
 */
const createParser = (limits: ParseLimits): MailParser => {
  const options = {
    skipTextToHtml: true,
    skipHtmlToText: true,
    skipTextLinks: true,
    skipImageLinks: true,
    checksumAlgo: 'md5',
    maxHeadSize: limits.headerBytes,
    maxChildNodes: limits.parts,
  };
  return new MailParser(options);
};

/** The two members of the parser that `endUnreadPart` needs; the library does not declare them. */
interface ParserInternals {
  readonly curnode: false | { readonly decoder?: Readable };
  cleanup(done: (error?: Error) => void): void;
}

/**
 * At its end the parser waits for the last part's decoder to be read out. Nobody reads that of an inline message/rfc822
 * without content: two header lines then keep the parser waiting for ever.
 */
const endUnreadPart = (parser: MailParser): void => {
  const internals = parser as unknown as ParserInternals;
  const cleanup = internals.cleanup.bind(parser);
  internals.cleanup = (done) => {
    const decoder = internals.curnode === false ? undefined : internals.curnode.decoder;
    if (decoder !== undefined && decoder.listenerCount('readable') === 0) decoder.resume();
    cleanup(done);
  };
};

const readParts = async (parser: MailParser, limits: ParseLimits): Promise<BodyReading> => {
  const attachments: ParsedAttachment[] = [];
  let text: Pick<BodyReading, 'text' | 'html'> = { text: '' };
  for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>) {
    if (part.type === 'text') {
      text = toText(part, limits.textBytes);
      continue;
    }
    if (attachments.length === limits.attachments) throw new Error('too many attachments');
    attachments.push(toAttachment(part, await collect(part), attachments.length));
  }
  return { ...text, attachments };
};

/** Rejects when the time is up, whatever the parser does with being ended: a stream inside it may never hear of it. */
const stallOf = (parser: MailParser): { readonly rejects: Promise<never>; readonly clear: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  const rejects = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const reason = new Error(PARSE_STALLED);
      reject(reason);
      parser.destroy(reason);
    }, PARSE_TIMEOUT_MS);
  });
  return { rejects, clear: () => clearTimeout(timer) };
};

/** Decodes the parts of a message; rejects when the parser gives up, a cap is passed, or nothing comes for 30 seconds. */
export const readBody = async (bytes: Uint8Array, limits: ParseLimits): Promise<BodyReading> => {
  if (bytes.byteLength > limits.messageBytes) throw new Error('message is too large');
  const parser = createParser(limits);
  endUnreadPart(parser);
  const stall = stallOf(parser);
  // A late second error of the parser, after the first has been reported, must not end the process.
  parser.on('error', () => undefined);
  try {
    parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return await Promise.race([readParts(parser, limits), stall.rejects]);
  } finally {
    stall.clear();
    parser.destroy();
  }
};
