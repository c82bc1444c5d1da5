// Writes the OpenAPI document of the contract to .build/openapi.json, for a linter to judge.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '#contract/openapi.ts';
import { ROOT } from '#infra/inventory.ts';

mkdirSync(join(ROOT, '.build'), { recursive: true });
writeFileSync(join(ROOT, '.build/openapi.json'), JSON.stringify(openApiDocument('https://api.agents.test'), null, 2));
