#!/usr/bin/env perl
# Reduces typings through a service, the one at HLA_URL:  perl hla_service.pl [METHOD] < typings.txt
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $method = shift // 'lgx';
my $url = $ENV{HLA_URL} // 'http://127.0.0.1:8080';
my $json = JSON::PP->new->utf8->canonical;
my $http = HTTP::Tiny->new(
    timeout         => 30,
    default_headers => { 'Content-Type' => 'application/json', 'Accept' => 'application/json' },
);

# The answer, or undef and what the service says is wrong.
sub ask {
    my ($path, %request) = @_;
    my $response = $http->post("$url$path", { content => $json->encode(\%request) });
    # 599: there was no answer; 429 and 503 are of the service, and may be asked again
    if ($response->{status} =~ /^(?:429|503|599)$/) {
        print STDERR "cannot ask $url: ", $response->{status} == 599 ? $response->{content} : "$response->{status}\n";
        exit 5;
    }
    my $answer = $json->decode($response->{content});
    return $response->{success} ? ($answer) : (undef, $answer);
}

my $failed = 0;
while (my $typing = <STDIN>) {
    $typing =~ s/\s+$//;
    my ($answer, $error) = ask('/redux', gl_string => $typing, reduction_method => $method);
    if ($error) {
        $failed++;
        print STDERR join(' ', "$typing: $error->{message} [$error->{code}]", @{ $error->{suggestions} }), "\n";
    }
    print "$typing\t", $error ? '' : $answer->{ard}, "\n";
}
exit($failed ? 1 : 0);
