#!/usr/bin/env perl
# Reduces typings through one `hla pipe`, which stays:  perl hla_pipe.pl [METHOD] < typings.txt
use strict;
use warnings;
use IPC::Open2;
use JSON::PP;

my $method = shift // 'lgx';
my $json = JSON::PP->new->utf8->canonical;
# hla that has ended is noticed by its missing answer
$SIG{PIPE} = 'IGNORE';
my $pid = open2(my $answers, my $requests, 'hla', 'pipe', '--quiet');
$requests->autoflush(1);

# One request a line, one answer a line, in order.
sub ask {
    my (%request) = @_;
    print $requests $json->encode(\%request), "\n";
    my $line = <$answers>;
    if (!defined $line) {
        waitpid $pid, 0;
        # hla itself has said why, on standard error
        die sprintf "hla has ended with status %d\n", $? >> 8;
    }
    return $json->decode($line);
}

my $failed = 0;
while (my $typing = <STDIN>) {
    $typing =~ s/\s+$//;
    my $answer = ask(op => 'redux', gl_string => $typing, reduction_method => $method);
    my $error = $answer->{error};
    if ($error) {
        $failed++;
        print STDERR join(' ', "$typing: $error->{message} [$error->{code}]", @{ $error->{suggestions} }), "\n";
    }
    print "$typing\t", $error ? '' : $answer->{ard}, "\n";
}
close $requests;
waitpid $pid, 0;
exit($failed ? 1 : 0);
