// What the domain asks of the code that writes and reads message text: our own types, no library's.
import type { Outcome } from '#domain/errors.ts';

/** A single mailbox. `address` is a lower-case addr-spec; `name` the decoded display name, absent when empty. */
export interface MailAddress {
  readonly address: string;
  readonly name?: string;
}

export interface ComposeAttachment {
  readonly filename: string;
  /** `type/subtype`, lower case, with the parameters that belong to the file. */
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The block that follows the body of a free account's mail; the composer puts the `-- ` line before it in both parts. */
export interface ComposeSignature {
  readonly text: string;
  /** Sanitised like every other HTML. */
  readonly html: string;
}

export interface ComposeRequest {
  readonly from: MailAddress;
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  /** Markdown as the caller gave it; it is the text/plain part as it stands. */
  readonly text: string;
  /** The caller's own HTML; when absent or blank, `text` is rendered. Sanitised either way. */
  readonly html?: string;
  /** With or without angle brackets, like all message ids here. */
  readonly messageId: string;
  /** Unix seconds. */
  readonly date: number;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly attachments: readonly ComposeAttachment[];
  readonly signature?: ComposeSignature;
  /** Further header fields; those that this request has a member for are refused. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MailComposer {
  /** RFC 5322 bytes with CRLF lines; fails with `invalid_request` (and `fields.field`) on anything that could forge a header. */
  composeMail(request: ComposeRequest): Promise<Outcome<Uint8Array>>;
}

/** Caps on what one message may cost to read; beyond them it ends as a header-only reading with `parseError`. */
export interface ParseLimits {
  /** Whole message in bytes. */
  readonly messageBytes: number;
  /** MIME parts, multipart containers included. */
  readonly parts: number;
  /** Bytes of the message's own header block. */
  readonly headerBytes: number;
  readonly attachments: number;
  /** Decoded bytes of one text or HTML part. */
  readonly textBytes: number;
}

export interface ParsedAttachment {
  /** Zero-based position, the index of `GET /api/inbox/{id}/attachment/{index}`. */
  readonly index: number;
  /** A clean base name of at most 255 bytes, never empty. */
  readonly filename: string;
  /** `type/subtype`, lower case, with its parameters but for name and boundary; safe to repeat in a header. */
  readonly contentType: string;
  /** Without angle brackets. */
  readonly contentId?: string;
  /** Decoded bytes. */
  readonly size: number;
  /** Lower-case hex of the decoded bytes. */
  readonly sha256: string;
  readonly content: Uint8Array;
  /** True when the HTML shows it in place (`Content-Disposition: inline` or a related part with a Content-ID). */
  readonly inline: boolean;
}

export interface ThreadHeaders {
  /** Message ids keep their angle brackets. */
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly references: readonly string[];
  /** Decoded, one line, at most 998 characters; empty when there is none. */
  readonly subject: string;
}

export interface ParsedMail extends ThreadHeaders {
  /** Absent when the From header holds no usable address. */
  readonly from?: MailAddress;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Unix seconds of the Date header; absent when missing or unreadable. */
  readonly date?: number;
  /** The readable text: the plain part, else the HTML's text. */
  readonly text: string;
  /** As received: never show it without `sanitizeHtml`. */
  readonly html?: string;
  /** First 200 characters of the readable text, white space folded. */
  readonly snippet: string;
  readonly attachments: readonly ParsedAttachment[];
  /** Lower-case name → raw unfolded values in order of appearance; bounded in number and length. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The Auto-Submitted keyword (RFC 3834), lower case, when it is not `no`. */
  readonly autoSubmitted?: string;
  /** Mailing-list or bulk mail (List-Id, List-Unsubscribe, Precedence). */
  readonly isList: boolean;
  /** A delivery report, or mail with an empty return path. */
  readonly isBounce: boolean;
  /** Received headers, to stop loops. */
  readonly receivedCount: number;
  /** Why only the header could be read; the message itself stays available as raw bytes. */
  readonly parseError?: string;
}

/** The thread headers from the first 64 KB, without a full parse; to build a reply's References chain. */
export type ReadThreadHeaders = (bytes: Uint8Array) => ThreadHeaders;

/** One strict addr-spec, optionally as `Name <address>`; undefined for anything else. */
export type ParseAddress = (text: string) => MailAddress | undefined;

/** First 200 characters of a text, white space folded, as list rows show it. */
export type SnippetOf = (text: string) => string;

/** The value of a `Content-Disposition` response header that makes a browser save, never show. */
export type ContentDisposition = (filename: string) => string;
