// The readable text of HTML, and that hostile HTML costs no more than honest HTML.
import { describe, expect, it } from 'vitest';
import { htmlToText } from '#adapters/markup/html-text.ts';

describe('htmlToText', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<br>b', 'a\nb'],
    ['a\n  b', 'a b'],
    ['<td>a</td><td>b</td>', 'a b'],
    ['a&nbsp;&amp;&lt;b&gt; &#8364;&#x20AC; &unknown; &', 'a &<b> €€ &unknown; &'],
    ['a&#0;b&#xD800;c&#99999999;', 'a b c'],
    ['<style>p{}</style><title>t</title>x<script>if (a < b) "</p>"</script>y', 'xy'],
    ['<a title="a > b">x</a>', 'x'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['<!-- <p>no</p> -->yes', 'yes'],
    ['<!doctype html><html><head><meta charset="utf-8"></head><body>x</body></html>', 'x'],
    ['İİİ<STYLE>p{}</STYLE>x', 'İİİx'],
    ['unclosed <b', 'unclosed'],
    ['unclosed <!-- x', 'unclosed'],
    ['a<script>never closed', 'a'],
    ['', ''],
  ])('%j reads %j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each([
    ['<div>'.repeat(300_000)],
    ['<'.repeat(1_000_000)],
    ['<script>'.repeat(200_000)],
    ['<style></style>'.repeat(100_000)],
    ['<!--'.repeat(300_000)],
    ['<a href="'.repeat(200_000)],
    ['&'.repeat(1_000_000)],
    [' '.repeat(1_000_000)],
    ['<p>'.repeat(5_000_000)],
  ])('ends on %#', (html) => {
    expect(htmlToText(html)).toEqual(expect.any(String));
  });
});
