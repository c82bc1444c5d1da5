// Renders the Markdown of a mail body. The only file that imports markdown-it.
import MarkdownIt from 'markdown-it';
import { sanitizeHtml } from '#adapters/markup/sanitize-html.ts';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/** Refuses every scheme but ours before a link is made at all, so that its source text stays visible. */
const isSafeLink = (link: string): boolean => {
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(link.trim())?.[1];
  if (scheme !== undefined) return LINK_SCHEMES.has(scheme.toLowerCase());
  // Browsers skip controls and blanks inside a scheme, as in `java\tscript:`.
  return !/^[^/?#]*:/.test(link.replace(/[\u0000-\u0020]/g, '')) && !link.trim().startsWith('//');
};

const renderer = new MarkdownIt('commonmark', { html: false });
renderer.validateLink = isSafeLink;

/** CommonMark to sanitised HTML; raw HTML in the source comes out as text. */
export const renderMarkdown = (text: string): string => sanitizeHtml(renderer.render(text));
