// The known ways to get script through a sanitiser (OWASP filter evasion, the DOMPurify fixtures), judged on the parsed result.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { sanitizeHtml } from '#adapters/markup/sanitize-html.ts';

const VECTORS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=http://xss.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<SCRIPT>alert("XSS");//\\<</SCRIPT>',
  '<SCRIPT/XSS SRC="http://xss.example/x.js"></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<IMG """><SCRIPT>alert("XSS")</SCRIPT>"\\>',
  '<img src="javascript:alert(1)">',
  '<img src=`javascript:alert(1)`>',
  '<IMG SRC="jav&#x09;ascript:alert(1);">',
  '<IMG SRC="jav\nascript:alert(1);">',
  '<IMG SRC=" &#14; javascript:alert(1);">',
  '<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img srcset="javascript:alert(1) 1x">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\0script:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61lert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a style="position:fixed;inset:0" href="https://x.example">x</a>',
  '<a onmouseover="alert(1)" href="https://x.example">x</a>',
  '<body onload=alert(1)>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<div id="x" class="y" name="z">x</div>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="https://evil.example"><input name=a><button formaction="javascript:alert(1)">x</button></form>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<style>@import "javascript:alert(1)";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)//">',
  '<textarea><script>alert(1)</script></textarea>',
  '<xmp><script>alert(1)</script></xmp>',
  '<template><script>alert(1)</script></template>',
  '<title><img src=x onerror=alert(1)></title>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<b <script>alert(1)</script>0',
  '<p/onclick=alert(1)>x',
  '<p =""onclick=alert(1)>x',
  '"><img src=x onerror=alert(1)>',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x</table>',
  '<blockquote cite="javascript:alert(1)">x</blockquote>',
  '<a href="https://x.example" ping="https://evil.example" target="_top">x</a>',
  '<isindex action=javascript:alert(1)>',
  '<select><option><script>alert(1)</script></select>',
] as const;

const ALLOWED_TAGS = new Set(
  'p br hr div span blockquote pre code kbd samp h1 h2 h3 h4 h5 h6 a b strong i em u s del ins mark small sub sup abbr cite q wbr address ul ol li dl dt dd table caption thead tbody tfoot tr th td img'.split(
    ' ',
  ),
);
const ALLOWED_ATTRIBUTES = new Set('href title rel src alt width height start align colspan rowspan scope'.split(' '));

const forbiddenInElement = ({ tagName, attrs }: DefaultTreeAdapterTypes.Element): string[] => [
  ...(ALLOWED_TAGS.has(tagName) ? [] : [tagName]),
  ...attrs.filter(({ name }) => !ALLOWED_ATTRIBUTES.has(name)).map(({ name }) => `${tagName} ${name}`),
  ...attrs
    .filter(({ name, value }) => (name === 'href' || name === 'src') && !/^(?:https?:\/\/|mailto:|cid:)/.test(value))
    .map(({ name, value }) => `${name}=${value}`),
];

/** Everything in the tree, as a browser would build it, that no mail of ours may hold. */
const forbiddenIn = (node: DefaultTreeAdapterTypes.ParentNode): string[] =>
  node.childNodes.flatMap((child) => {
    if (child.nodeName === '#text') return [];
    if (!('tagName' in child)) return [child.nodeName];
    return [...forbiddenInElement(child), ...forbiddenIn(child)];
  });

describe('sanitizeHtml', () => {
  it.each(VECTORS)('leaves nothing active of %j', (vector) => {
    const cleaned = sanitizeHtml(vector);
    expect(forbiddenIn(parseFragment(cleaned))).toStrictEqual([]);
    expect(sanitizeHtml(cleaned)).toBe(cleaned);
  });

  it('keeps ordinary mail', () => {
    const html =
      '<h1>T</h1><p>a <b>b</b> <a href="https://x.example" title="t">l</a></p><table><tr><td colspan="2">c</td></tr></table><img src="cid:logo" alt="x" />';
    expect(sanitizeHtml(html)).toBe(html.replace('title="t"', 'title="t" rel="noopener noreferrer nofollow"'));
  });

  it('drops what is nested beyond reason, and ends', () => {
    const cleaned = sanitizeHtml(`${'<div>'.repeat(50_000)}deep`);
    expect(cleaned.length).toBeLessThan(5_000);
  });
});
