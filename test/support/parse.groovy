// Reads scripts as Groovy, which those of Nextflow are, without running them:  groovy parse.groovy FILE ...
import org.codehaus.groovy.control.CompilationUnit
import org.codehaus.groovy.control.Phases

args.each { name ->
  def unit = new CompilationUnit()
  unit.addSource(new File(name))
  unit.compile(Phases.CONVERSION)
}
