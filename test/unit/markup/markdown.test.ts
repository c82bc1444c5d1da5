// Markdown bodies: CommonMark comes out as HTML, everything else as text.
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#adapters/markup/render-markdown.ts';

describe('renderMarkdown', () => {
  it.each([
    ['# Title', '<h1>Title</h1>\n'],
    ['*a* **b** `c`', '<p><em>a</em> <strong>b</strong> <code>c</code></p>\n'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['3. a', '<ol start="3">\n<li>a</li>\n</ol>\n'],
    ['> q', '<blockquote>\n<p>q</p>\n</blockquote>\n'],
    ['a  \nb', '<p>a<br />\nb</p>\n'],
    ['<b>raw</b>', '<p>&lt;b&gt;raw&lt;/b&gt;</p>\n'],
    ['1 < 2 & 3', '<p>1 &lt; 2 &amp; 3</p>\n'],
    ['', ''],
  ])('renders %j', (source, html) => {
    expect(renderMarkdown(source)).toBe(html);
  });

  it.each(['https://x.example/a?b=c&d=e', 'http://x.example', 'mailto:a@b.cc'])('links %s', (link) => {
    expect(renderMarkdown(`[t](${link})`)).toContain(`<a href="${link.replaceAll('&', '&amp;')}" rel="noopener noreferrer nofollow">t</a>`);
  });

  it('shows images from the web', () => {
    expect(renderMarkdown('![alt](https://x.example/a.png)')).toContain('<img src="https://x.example/a.png" alt="alt" />');
  });

  it.each([
    '[t](javascript:alert(1))',
    '[t](JaVaScRiPt:alert(1))',
    '[t](javascript&colon;alert(1))',
    '[t](java&#x0A;script:alert(1))',
    '[t](&#x6A;avascript:alert(1))',
    '[t](vbscript:x)',
    '[t](data:text/html;base64,PHNjcmlwdD4=)',
    '[t](file:///etc/passwd)',
    '[t](//evil.example)',
    '<javascript:alert(1)>',
    '![t](data:image/svg+xml;base64,PHN2Zz4=)',
    '![t](javascript:alert(1))',
    '[t][r]\n\n[r]: javascript:alert(1)',
  ])('makes no link of %s', (source) => {
    expect(renderMarkdown(source)).not.toMatch(/(?:href|src)=/);
  });

  it('ends on deep nesting', () => {
    expect(renderMarkdown('>'.repeat(5_000))).toEqual(expect.any(String));
    expect(renderMarkdown('['.repeat(20_000))).toEqual(expect.any(String));
    expect(renderMarkdown('*a **a '.repeat(5_000))).toEqual(expect.any(String));
  });
});
