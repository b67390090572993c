/** Help topic: long conversions of tables. Pure. */
import { type Block, file, heading, session, table, terms, text } from '../page.ts'

export function longRunsTopic(): Block[] {
  return [...interruption(), ...parts(), ...progress(), ...provenance()]
}

function interruption(): Block[] {
  return [
    heading('Interruption'),
    ...text(
      'While a table is converted into a file (`-o big.lgx.csv.gz`), the file has a hidden name (`.big.lgx.csv.gz.part`). It gets its own name when it is complete and on the disk. The output file is either complete or absent, and the exit status says which. The same command begins again from the first row.',
    ),
    table(
      ['end', 'what is left', 'exit status'],
      [
        ['Ctrl-C, SIGTERM, SIGHUP', 'nothing', '130, 143, 129'],
        ['SIGKILL, a crash, a power cut', 'the hidden part, which the next run replaces', '137 or none'],
        ['a full disk, a service that fails, a read error', 'nothing', '4, 5'],
        ['--on-error fail', 'nothing', '1'],
        ['--max-errors', 'the report of failures', '1'],
      ],
    ),
    ...text(
      'In a file store (`-o drive:/registry/donors.lgx.csv`) the output is uploaded while it is made, and becomes visible when it is complete. After a broken connection the upload resumes where it broke.',
    ),
  ]
}

/** Script with 2 rows per part. */
const PARTS_SCRIPT = `mkdir -p parts results
# 2 rows a part here; 5000000 for a registry
awk -v rows=2 'NR == 1 { header = $0; next }
  (NR - 2) % rows == 0 { close(part); part = sprintf("parts/%04d.csv", ++n)
                         print header > part }
  { print > part }' donors.csv
head -n 1000 donors.csv > sample.csv
for part in parts/*.csv; do
  result=results/\${part#parts/}
  test -e "$result" || hla redux -q --exit-zero \\
    -i "$part" --plan-from sample.csv -o "$result"
done
awk 'FNR > 1 || NR == 1' results/*.csv > donors.lgx.csv
`

function parts(): Block[] {
  return [
    heading('Parts'),
    ...text(
      'A table of 40 million rows takes minutes. If that is too long to repeat, or several machines share the work, convert it in parts and join the results. A part that has its result is not converted again.',
      'The first rows of a table decide how it is read. With `--plan-from`, give a file with the first rows of the whole table, so that each part is read as one run would read it. Each part needs the header.',
    ),
    file('donors.csv', 'id,A_1,A_2\nD1,0201,2402\nD2,01:01,0301\nD3,0201,01:01\n'),
    file('parts.sh', PARTS_SCRIPT),
    session({
      command: 'sh parts.sh; cat donors.lgx.csv',
      output:
        'id,A_1,A_1_lgx,A_2,A_2_lgx\nD1,0201,A*02:01,2402,A*24:02\nD2,01:01,A*01:01,0301,A*03:01\nD3,0201,A*02:01,01:01,A*01:01',
    }),
    ...text(
      'These commands would cut a cell that contains a line break: `docs/workflows/split-table.mjs` refuses such a table, and `join-tables.mjs` checks that all parts were converted by the same data, options and version of hla. The scripts for GNU parallel, Slurm, Snakemake and Nextflow in `docs/workflows` use both.',
    ),
  ]
}

function progress(): Block[] {
  return [
    heading('Progress'),
    ...text(
      'On a terminal, after a second, one line says how many rows are converted, how fast, the share of the input and the time left; it is gone at the end. `--progress never` omits the line; `--progress always` shows it without a terminal too, once per second. When `CI` is set, or with `--quiet`, there is no such line unless `--progress` asks for it.',
      '`--progress jsonl` writes one object of JSON a second to standard error, and one at the end:',
    ),
    terms([
      ['type', '`progress`.'],
      ['rows, typings, failed', 'Counts so far.'],
      [
        'bytes, total_bytes',
        'Bytes of the input as stored: read so far, and in total (null for standard input).',
      ],
      ['share', 'Fraction of the input read so far, 0 to 1, or null.'],
      ['rows_per_second, elapsed_seconds', 'Speed and running time of this run.'],
      ['left_seconds', 'Estimated seconds left at that speed, or null.'],
      ['done', 'true in the last object.'],
    ]),
  ]
}

function provenance(): Block[] {
  return [
    heading('Provenance'),
    ...text(
      '`--provenance` writes `OUTPUT.hla.json`: the command with all defaults, the data it used, and the checksums of input and output. It contains no cell of the table. `hla provenance verify` checks later whether all of this is still true:',
    ),
    file('donors.csv', 'id,A_1,A_2\nD1,A*01:01:01:01,02:01\n'),
    session(
      {
        command: 'hla redux -q -i donors.csv -o donors.lgx.csv --provenance; cat donors.lgx.csv',
        output: 'id,A_1,A_1_lgx,A_2,A_2_lgx\nD1,A*01:01:01:01,A*01:01,02:01,A*02:01',
      },
      {
        command: 'hla provenance verify donors.lgx.csv.hla.json --rerun | cut -f 1,2',
        output: 'input\tok\noutput\tok\nrecord\tok\ndata\tok\nhla\tok\noptions\tok\nrerun\tok',
      },
      {
        command: "echo 'D2,,' >> donors.csv; hla provenance verify donors.lgx.csv.hla.json | sed -n 1p",
        output:
          'input\tdiffers\tdonors.csv: sha256:7ffb583f53b1 of 39 bytes, was sha256:46df36e31bb3 of 34 bytes',
        exit: 1,
      },
    ),
    terms([
      [
        'input, output',
        'The files have the sha256 they had; they are looked for by their names, then beside the provenance file.',
      ],
      ['data', 'The release is installed and has the data id it had, whichever release is active.'],
      ['hla', 'This version of hla wrote the file.'],
      [
        'options',
        'The command line means the same, with the defaults of this version and the variables of this environment.',
      ],
      ['rerun', 'With --rerun: the command line, run again with that release, gives the same bytes.'],
    ]),
    ...text(
      '`differs` shows the old and the new value; `unknown` means that it cannot be checked (standard input). The exit status is 1 when something differs.',
      'To be sure of the data before anything is converted, give `--expect-data` what `hla version` prints, or a part of it: the label, or at least six digits of the sha256. Other data are refused with exit status 6. It works for all operations, and with `--remote`.',
    ),
  ]
}
