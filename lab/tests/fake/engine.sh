#!/bin/sh
# Engines that behave as their name says, for the tests of the laboratory:
# engine.sh engine NAME [--lib PATH]
name=$2
echo "$*" >&2
a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
b=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
measured=0
[ "$name" = missing ] && { echo "error: engine \`missing\` is missing: build it" >&2; exit 3; }
while read -r verb fields; do
    size=0 samples=21 level=- random=0 around= single=
    for field in $fields; do
        case $field in
            size=*) size=${field#size=} ;;
            samples=*) samples=${field#samples=} ;;
            level=*) level=${field#level=} ;;
            random=*) random=${field#random=} ;;
            single=*) single=1 ;;
            around_us=*) around=${field#around_us=} ;;
        esac
    done
    case $name-$verb in
        deaf-*) sleep 60 ;;
        hangs-check | stuck-measure) sleep 60 ;;
        naps-check) [ "$size" = 100 ] && sleep 60; echo "ok digest=$a" ;;
        drowsy-check) sleep 0.02; echo "ok digest=$a" ;;
        dies-check) echo "out of luck" >&2; kill -9 $$ ;;
        quits-measure) exit 7 ;;
        mute-check) exec >&- 2>&-; sleep 60 ;;
        mumbles-check) echo "hello there" ;;
        endless-check) yes | tr -d '\n' ;;
        fails-check) echo "error reason=EVP_Update%20failed" ;;
        refuses-check) echo "refused reason=no%20EVP_sm4_ctr" ;;
        *-describe)
            wrong=
            [ "$name" = wrong ] && wrong=" known_wrong=toy/ctr:tail%20of%2017%20bytes,%20https://example.org/17"
            echo "ok engine=$name version=1%20of%202 build= path=/toy$wrong" \
                "offer=toy/ctr:low,high:init,message,stream:16:16:1:0" \
                "offer=toy/ecb:-:message:16:0:16:0"
            ;;
        old-check)
            if [ "$random" -gt 0 ]; then echo 'error reason=unknown%20key%20`random`'
            else echo "ok digest=$a"; fi
            ;;
        odd-check)
            if [ "$random" -ge 38 ]; then echo "ok digest=$b"; else echo "ok digest=$a"; fi
            ;;
        lower-check)
            if [ "$level" = high ]; then echo "refused reason=no%20AVX2%20here"
            else echo "ok digest=$a"; fi
            ;;
        moody-check)
            if [ "$random" -ge 38 ]; then echo "refused reason=not%20today"
            else echo "ok digest=$a"; fi
            ;;
        liar-check) echo "ok digest=$b" ;;
        *-check) echo "ok digest=$a" ;;
        *-measure)
            measured=$((measured + 1))
            digest=$a list=4000
            [ "$name" = turns ] && [ $measured -gt 3 ] && digest=$b
            [ "$level" = high ] && list=2000
            [ "$name" = few ] && samples=3
            switches=0
            [ "$name" = restless ] && switches=9
            i=1
            while [ $i -lt "$samples" ] && [ -z "$single" ]; do list=$list,$((4000 + i)); i=$((i + 1)); done
            [ "$name" = numbers ] && list=1,2,3,x,5
            # When the samples began and ended: for all processes the same, of `late` far apart.
            window= repeats=10
            [ -n "$around" ] && window=" began=1000 ended=2000"
            [ -n "$around" ] && [ "$name" = late ] && window=" began=$$000000000 ended=$$000000001"
            [ -n "$around" ] && [ "$name" = silent ] && window=
            if [ -n "$single" ]; then
                # As many calls as asked take a while in a shell.
                [ "$name" = coarse ] || repeats=1
                window="$window timer=26"
                list=$(seq -s, 1 10001)
            fi
            if [ -n "$around" ] && [ "$name" = shy ]; then
                echo "refused reason=shy%20is%20not%20measured%20beside%20others"
                continue
            fi
            echo "ok clock=tsc digest=$digest repeats=$repeats call_bytes=$size chain=0.8,0.8" \
                "load=100,100 switches=$switches$window samples=$list"
            ;;
        drowsy-known) sleep 60 ;;
        *) echo "error reason=unknown%20request%20\`$verb\`" ;;
    esac
done
