/** Recipes for bioconda and Homebrew, over the tarball of a release. Pure. */
import {
  description,
  downloads,
  homepage,
  license,
  name,
  oldestNode,
  TRIAL,
  version,
} from '../description.mjs'

const trial = `hla ${TRIAL.words.map((word) => (/[*]/.test(word) ? `'${word}'` : word)).join(' ')}`
const tarball = `${name}-${version}.tar.gz`

/** The meta.yaml of bioconda. */
export const biocondaRecipe = (sha256) => `{% set name = "${name}" %}
{% set version = "${version}" %}

package:
  name: {{ name }}
  version: {{ version }}

source:
  url: ${downloads.replaceAll(version, '{{ version }}')}/${tarball.replace(version, '{{ version }}')}
  sha256: ${sha256}

build:
  number: 0
  noarch: generic
  script:
    - mkdir -p $PREFIX/bin $PREFIX/lib $PREFIX/share
    - cp -R bin/. $PREFIX/bin/
    - cp -R lib/. $PREFIX/lib/
    - cp -R share/. $PREFIX/share/
  run_exports:
    - {{ pin_subpackage(name, max_pin="x") }}

requirements:
  run:
    - nodejs >=${oldestNode}

test:
  commands:
    - hla --version | grep -F '{{ version }}'
    - ${trial} | grep -Fx '${TRIAL.answer}'

about:
  home: ${homepage}
  license: ${license}
  license_family: APACHE
  license_file: lib/hla/LICENSE
  summary: ${description}
  dev_url: ${homepage}
  doc_url: ${homepage}
`

/** The Homebrew formula. */
export const homebrewFormula = (sha256) => `class Hla < Formula
  desc "${description}"
  homepage "${homepage}"
  url "${downloads}/${tarball}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    libexec.install "bin", "lib", "share"
    bin.install_symlink libexec/"bin/hla"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    man7.install_symlink Dir[libexec/"share/man/man7/*"]
    bash_completion.install libexec/"share/bash-completion/completions/hla"
    zsh_completion.install libexec/"share/zsh/vendor-completions/_hla"
    fish_completion.install libexec/"share/fish/vendor_completions.d/hla.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hla --version")
    assert_equal "${TRIAL.answer}", shell_output("#{bin}/${trial}").chomp
  end
end
`

export const environmentFile = () => `# conda env create -f environment.yml
name: ${name}
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - ${name}=${version}
`
