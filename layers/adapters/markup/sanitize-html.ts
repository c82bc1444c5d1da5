// Reduces HTML to what mail needs. The only file that imports sanitize-html.
import sanitize from 'sanitize-html';

const TEXT_TAGS = [
  ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'abbr', 'cite', 'q', 'wbr', 'address'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'img'],
];

const ABSOLUTE_LINK = /^(?:https?:\/\/|mailto:)/i;
const ABSOLUTE_IMAGE = /^(?:https?:\/\/|cid:)/i;

/** Without the attribute when its value is no absolute URL: a mail has no address that a relative one could start from. */
const keepAbsolute = (attributes: sanitize.Attributes, name: string, pattern: RegExp): sanitize.Attributes => {
  const { [name]: value, ...others } = attributes;
  return value !== undefined && pattern.test(value.trim()) ? attributes : others;
};

/** No style, class or id anywhere: they hide text from the reader and reach into the page of a web mail client. */
const OPTIONS: sanitize.IOptions = {
  allowedTags: TEXT_TAGS,
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['align', 'colspan', 'rowspan', 'scope'],
    td: ['align', 'colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // The content of these goes with the tag: as text it would be noise, or markup again to a second parser.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'select',
    'noscript',
    'template',
    'title',
    'iframe',
    'object',
    'svg',
    'math',
    'xmp',
  ],
  // Deeper nesting is dropped; mail clients recurse over what we send.
  nestingLimit: 100,
  parseStyleAttributes: false,
  transformTags: {
    a: (tagName, attributes) => ({
      tagName,
      attribs: { ...keepAbsolute(attributes, 'href', ABSOLUTE_LINK), rel: 'noopener noreferrer nofollow' },
    }),
    img: (tagName, attributes) => ({ tagName, attribs: keepAbsolute(attributes, 'src', ABSOLUTE_IMAGE) }),
  },
};

/** Keeps an allow-list of tags, attributes and link schemes (http, https, mailto; images also cid) and drops the rest. */
export const sanitizeHtml = (html: string): string => sanitize(html, OPTIONS);
